import { setTimeout as sleep } from 'node:timers/promises'
import { StoreFault } from '../store/aws/fault.ts'

/** Another run's or deployment's archive, which need not be honest. */
export type ArchiveReader = {
  /**
   * The file at a path; undefined: there is none. Of one with more than `most` bytes only a beginning that has more. Throws
   * ArchiveUnreachableError.
   */
  read(path: string, most: number): Promise<Uint8Array | undefined>
}

const ATTEMPTS = 4
const PAUSE_MS = 500
/** A file of a busy day takes its time; silence does not. */
const TIMEOUT_MS = 120_000

const refusals: Readonly<Record<number, string>> = {
  401: ': it takes a key: set Z100_API_KEY',
  429: ': the bytes of the day are used up; it goes on after midnight UTC',
}

/** The archive below an address: that of a run, a bucket that anyone may read, or a deployment, which asks for a key. */
export function archiveAt(url: string, key = process.env['Z100_API_KEY']): ArchiveReader {
  const base = url.replace(/\/+$/, '')
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
  const unreachable = (path: string, why: string) =>
    new StoreFault('ArchiveUnreachableError', `${base}/${path}: ${why}`)
  const once = async (path: string, most: number): Promise<Uint8Array | undefined> => {
    // A redirect could lead into the operator's own network.
    const asked = { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual', headers } as const
    const response = await fetch(`${base}/${path}`, asked)
    if (response.status >= 300 && response.status < 400)
      throw unreachable(
        path,
        `it redirects (${response.status}), which is not followed: give the address it leads to`,
      )
    // A bucket that may not be listed answers 403 for what is not there.
    if (response.status === 404 || response.status === 403) return undefined
    if (!response.ok) throw new Error(`status ${response.status}${refusals[response.status] ?? ''}`)
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of response.body ?? []) {
      parts.push(part)
      size += part.length
      if (size > most) break
    }
    return Buffer.concat(parts)
  }
  return {
    async read(path, most) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(path, most)
        } catch (cause) {
          if (cause instanceof StoreFault) throw cause
          if (attempt === ATTEMPTS) throw unreachable(path, String(cause))
          await sleep(PAUSE_MS * 2 ** attempt)
        }
      }
    },
  }
}
