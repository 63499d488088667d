import { randomUUID } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { CloudWatchLogsDecodedData, CloudWatchLogsEvent } from 'aws-lambda'
import type { Part, Parts } from './parts.ts'

/**
 * Redirects the output of functions and services to a file, new for each run, as it goes to CloudWatch Logs on AWS. Code
 * that bound the stream's own `write` before still reaches the stream. `onLine` is called with each line. Stopping
 * restores the stream.
 */
export function keepFunctionLogs(
  stdout: NodeJS.WriteStream,
  file: string,
  onLine: (line: string) => void = () => undefined,
): { stop(): Promise<void> } {
  const descriptor = openSync(file, 'w', 0o600)
  const own = stdout.write
  stdout.write = (text: Uint8Array | string) => {
    const line = typeof text === 'string' ? text : Buffer.from(text).toString()
    writeSync(descriptor, line)
    onLine(line)
    return true
  }
  return {
    stop: async () => {
      stdout.write = own
      closeSync(descriptor)
    },
  }
}

type LogLine = CloudWatchLogsDecodedData['logEvents'][number]

/** Stands for CloudWatch Logs: delivers lines of the edge's functions in batches. */
export type UsageFeed = Part & { readonly log: (line: string) => void }

const EVERY_MS = 1_000
/** Maximum lines of one delivery. */
const BATCH_LINES = 5_000

/**
 * Delivers lines to the subscriber every second, and all that are left at the end. A failed batch is delivered again
 * unchanged, before any other; if it fails at the end too, it and the rest are lost.
 */
export function startUsageFeed(
  subscriber: (event: CloudWatchLogsEvent) => Promise<void>,
  { terminal }: Pick<Parts, 'terminal'>,
): UsageFeed {
  const waiting: LogLine[] = []
  let failing: LogLine[] = []
  let running = Promise.resolve()
  const deliver = async () => {
    const batch = failing.length > 0 ? failing : waiting.splice(0, BATCH_LINES)
    if (batch.length === 0) return
    failing = batch
    try {
      await subscriber(eventOf(batch))
      failing = []
    } catch (error) {
      terminal.say(`usage of the edge is not counted yet: ${String(error)}`)
    }
  }
  const timer = setInterval(() => {
    running = running.then(deliver)
  }, EVERY_MS)
  return {
    log: (line) => waiting.push({ id: randomUUID(), timestamp: Date.now(), message: line }),
    async stop() {
      clearInterval(timer)
      await running
      do await deliver()
      while (failing.length === 0 && waiting.length > 0)
    },
  }
}

/** A subscription's event: gzipped lines. */
export function eventOf(logEvents: CloudWatchLogsDecodedData['logEvents']): CloudWatchLogsEvent {
  const data: CloudWatchLogsDecodedData = {
    owner: '000000000000',
    logGroup: '/aws/cloudfront/function/viewer-request',
    logStream: 'local',
    subscriptionFilters: ['usage'],
    messageType: 'DATA_MESSAGE',
    logEvents,
  }
  return { awslogs: { data: gzipSync(JSON.stringify(data)).toString('base64') } }
}
