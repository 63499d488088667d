import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports below the ephemeral range, which is used for connections and for servers on port 0. */
const NAMED_PORTS = { from: 12_000, to: 32_000 } as const

/**
 * A free TCP port of 127.0.0.1 that nothing takes by chance before it is used. For child processes that must be told
 * their port; our own servers listen on 0.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(NAMED_PORTS.from, NAMED_PORTS.to)
    if (await isFree(port)) return port
  }
}

export async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
  probe.close()
  await once(probe, 'close')
  return true
}
