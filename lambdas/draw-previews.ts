import { readEnv } from '../schemas/deployment/env.ts'
import { drawPreviews } from '../snapshot/previews/draw.ts'
import { openBucket } from '../store/aws/bucket.ts'

/**
 * Invoked by the Scheduler every ten minutes: draws the previews of links from the published documents, and writes a line of
 * JSON to the log. Rejects when one was not drawn; the others are put, and the one before it stays.
 */
export async function handler(): Promise<void> {
  const env = readEnv('drawPreviews', process.env)
  const start = performance.now()
  const run = await drawPreviews(openBucket(env.PUBLISHED_BUCKET))
  const { failures = [], ...facts } = run ?? {}
  const line = {
    service: 'draw-previews',
    message: run ? 'drawn' : 'nothing to draw',
    ...facts,
    failures: failures.map(String),
    milliseconds: Math.round(performance.now() - start),
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  if (failures.length > 0) throw new AggregateError(failures, 'Not every preview was drawn')
}
