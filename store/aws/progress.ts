import { channel } from 'node:diagnostics_channel'

/** A long step, and how far it has got. */
export type StepProgress = { readonly step: string; readonly done: number; readonly total: number }

const steps = channel('z100.progress')
let latest: StepProgress | undefined

/** Tells whoever listens in this process, such as the terminal of a local run while it starts. */
export function tellProgress(step: string, done: number, total: number): void {
  latest = { step, done, total }
  if (steps.hasSubscribers) steps.publish(latest)
}

/** The step that was last told in this process, as a reader is told it; '': none. */
export const progressText = (): string =>
  latest ? `${latest.step}, ${Math.floor((latest.done / Math.max(1, latest.total)) * 100)} %` : ''

/** Listens from now on; call what it returns to stop. */
export function onProgress(listen: (progress: StepProgress) => void): () => void {
  const listener = (message: unknown) => listen(message as StepProgress)
  steps.subscribe(listener)
  return () => void steps.unsubscribe(listener)
}
