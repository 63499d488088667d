import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where a service is, for the operator's commands. */
export type Deployment = {
  /** Variables that name tables, buckets and endpoints; a command takes its own out with `readEnv`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The chain's endpoints that the service itself uses; none: it is not said. */
  readonly rpcUrls: readonly string[]
}

/** No local run is ready under the data directory. */
export class NoRunError extends Error {
  override readonly name = 'NoRunError'
  constructor(dir: string) {
    super(
      `no run is ready in ${dir}: start one with npm start, name its --data-dir, or use --aws with the environment of a deployment`,
    )
  }
}

/** The ready file is not one that this version wrote. */
export class InvalidReadyError extends Error {
  override readonly name = 'InvalidReadyError'
  constructor(path: string, cause?: unknown) {
    super(`${path} is not the ready file of a run of this version`, { cause })
  }
}

/** The deployment that the process's environment names. */
export const deploymentOfEnv = (environment: NodeJS.ProcessEnv): Deployment => ({
  env: environment,
  rpcUrls: environment['RPC_URLS']?.split(',') ?? [],
})

/**
 * The local run under a data directory. From here on the AWS clients of this process find its stand-ins: its variables
 * are set in `environment`. Throws NoRunError, InvalidReadyError.
 */
export async function deploymentOfRun(dir: string, environment: NodeJS.ProcessEnv): Promise<Deployment> {
  const path = join(dir, 'ready.json')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new NoRunError(dir) : error
  })
  Object.assign(environment, variablesIn(text, path))
  return deploymentOfEnv(environment)
}

function variablesIn(text: string, path: string): Readonly<Record<string, string>> {
  let ready: { readonly env?: unknown } | null
  try {
    ready = JSON.parse(text) as typeof ready
  } catch (error) {
    throw new InvalidReadyError(path, error)
  }
  const variables = ready?.env
  if (typeof variables !== 'object' || variables === null) throw new InvalidReadyError(path)
  const entries = Object.entries(variables)
  if (entries.some(([, value]) => typeof value !== 'string')) throw new InvalidReadyError(path)
  return Object.fromEntries(entries) as Record<string, string>
}
