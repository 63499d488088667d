import { S3Error } from './s3-error.ts'

/** What a path-style address names; `key` is empty when it names the bucket. `x-id` only tells the operation's name and is left out. */
export type Address = {
  readonly bucketName: string
  readonly key: string
  readonly query: ReadonlyMap<string, string>
}

/** Reads `/bucket/key?query`. Throws InvalidURI. */
export function parseAddress(url: string): Address {
  const [path = '', search = ''] = url.split(/\?(.*)/s)
  const [, bucketName = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(decodeUri(path)) ?? []
  const query = new Map([...new URLSearchParams(search)].filter(([name]) => name !== 'x-id'))
  return { bucketName, key, query }
}

/** Resolves percent-encoding once. Throws InvalidURI when it is malformed. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new S3Error('InvalidURI')
  }
}
