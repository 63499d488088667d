/** A signal that aborts after some seconds: AbortSignal.timeout came with Safari 16. */
export function abortAfter(seconds: number): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new DOMException(`No answer in ${seconds} seconds.`, 'TimeoutError'))
  setTimeout(abort, 1_000 * seconds)
  return controller.signal
}
