/** Entry of `startDynamodbThread`: runs DynamoDB until it receives a message. */
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { startDynamodb } from './dynamodb.ts'

if (!parentPort) throw new Error('this is a thread of a run')
const { url, stop } = await startDynamodb(workerData)
parentPort.postMessage(url)
await once(parentPort, 'message')
await stop()
parentPort.close()
