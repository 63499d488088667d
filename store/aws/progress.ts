import { channel } from 'node:diagnostics_channel'

/** A long step, and how far it has got. */
export type StepProgress = { readonly step: string; readonly done: number; readonly total: number }

const steps = channel('z100.progress')

/** Tells whoever listens in this process, such as the terminal of a local run while it starts. */
export function tellProgress(step: string, done: number, total: number): void {
  if (steps.hasSubscribers) steps.publish({ step, done, total } satisfies StepProgress)
}

/** Listens from now on; call what it returns to stop. */
export function onProgress(listen: (progress: StepProgress) => void): () => void {
  const listener = (message: unknown) => listen(message as StepProgress)
  steps.subscribe(listener)
  return () => void steps.unsubscribe(listener)
}
