import type { IncomingMessage } from 'node:http'

/** A request has a larger body than the gateway takes. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/** The payload that API Gateway takes (Developer Guide, "Quotas"). */
export const BODY_BYTES = 10 * 1024 * 1024

/** The body of a request. Throws BodyTooLargeError, after which the connection is closed by the answer. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > BODY_BYTES) throw new BodyTooLargeError(`a body has at most ${BODY_BYTES} bytes here`)
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}
