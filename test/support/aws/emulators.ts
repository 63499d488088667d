import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startDynamodb, startDynamodbThread } from '../../../dev/emulators/dynamodb.ts'
import { freePort } from '../../../dev/emulators/free-port.ts'
import { startS3 } from '../../../dev/emulators/s3.ts'
import { tempDir } from '../temp-dir.ts'

/** A service of AWS that this process's SDK clients reach until `stop`. */
export type Running = { readonly url: string; stop(): Promise<void> }

/** What the SDK needs beside the address of a service. */
export const sdkVariables = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local-secret',
}

/** dynalite in memory; SDK clients made from now on reach it. */
export const startDynalite = async (): Promise<Running> => pointSdkAt(await startDynamodb())

/** The same in a thread of its own, for who counts what this one costs. */
export async function startDynaliteThread(): Promise<Running> {
  const thrown = (cause: unknown) => {
    throw cause
  }
  return pointSdkAt(await startDynamodbThread({}, thrown))
}

/** The file-backed S3 of a local run in a folder of its own; SDK clients made from now on reach it. Anyone may read from the buckets that are named. */
export const startS3OnDisk = async (anonymousRead: readonly string[] = []): Promise<Running> =>
  pointSdkAt(await startS3({ dir: tempDir(), anonymousRead }))

/** moto, an independent second AWS; undefined, with a printed line, where it does not run. */
export async function startMoto(): Promise<Running | undefined> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  let isGone = false
  child.once('error', () => {
    isGone = true
  })
  const exited = once(child, 'exit').finally(() => {
    isGone = true
  })
  exited.catch(() => undefined)
  while (!isGone && !(await answers(url))) await new Promise((resolve) => setTimeout(resolve, 100))
  if (isGone) {
    process.stdout.write('skipped: moto_server does not run here\n')
    return undefined
  }
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return pointSdkAt({ url, stop })
}

function pointSdkAt(running: Running): Running {
  Object.assign(process.env, { AWS_ENDPOINT_URL: running.url, ...sdkVariables })
  return running
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )
