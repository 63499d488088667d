import { writeSync } from 'node:fs'
import type { Socket } from 'node:net'

/** Node's handle of a TCP connection on Linux and macOS; undocumented. */
type HasHandle = { readonly _handle?: { readonly fd?: number } | null }

/**
 * Writes bytes to a plain TCP connection with one system call, and hands the socket what the kernel does not take. It
 * saves the request object, callback and bookkeeping of `socket.write`, about a third of the time outside the kernel.
 * Failures come from the socket, as with `socket.write`.
 */
export function writeDirectly(socket: Socket, bytes: Buffer): void {
  const fd = (socket as HasHandle)._handle?.fd ?? -1
  // Nothing may overtake bytes that wait.
  const isReady = fd >= 0 && socket.writableLength === 0 && !socket.connecting
  const written = isReady ? takenBy(fd, bytes) : 0
  if (written < bytes.length) socket.write(written === 0 ? bytes : bytes.subarray(written))
}

/** How many bytes the kernel took; 0 if its buffer is full or the connection is broken. */
function takenBy(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes)
  } catch {
    return 0
  }
}
