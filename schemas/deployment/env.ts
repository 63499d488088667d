/** The environment variables of each process. Deployment and the local run must supply the required ones. */
export const processes = {
  /** POLL_MS: pause between two polls of the chain's head (ingest/read/poll.ts). PORT: where /health is answered; without it nowhere. METRICS_NAMESPACE, here and below: see schemas/deployment/metrics.ts. */
  ingest: {
    required: ['MARKET_TABLE', 'SEGMENT_BUCKET', 'RPC_URLS', 'CHAIN'],
    optional: ['START_BLOCK', 'POLL_MS', 'PORT', 'METRICS_NAMESPACE'],
  },
  /** AWS_LAMBDA_FUNCTION_MEMORY_SIZE: megabytes; Lambda sets it. PORT: where a task answers /health. REBUILD_EVERY_SECONDS: absent, 60. */
  rebuildSnapshots: {
    required: ['MARKET_TABLE', 'SEGMENT_BUCKET', 'PUBLISHED_BUCKET'],
    optional: [
      'CODE_VERSION',
      'CHAIN',
      'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
      'METRICS_NAMESPACE',
      'REBUILD_EVERY_SECONDS',
      'PORT',
    ],
  },
  writeArchive: { required: ['MARKET_TABLE', 'SEGMENT_BUCKET', 'PUBLISHED_BUCKET', 'CHAIN'], optional: [] },
  drawPreviews: { required: ['PUBLISHED_BUCKET'], optional: [] },
  /** Ingest and rebuild of a release in one process, beside the live one. PORT: where /health is answered. */
  beside: {
    required: ['MARKET_TABLE', 'SEGMENT_BUCKET', 'PUBLISHED_BUCKET', 'RPC_URLS', 'CHAIN'],
    optional: ['START_BLOCK', 'POLL_MS', 'CODE_VERSION', 'PORT', 'REBUILD_EVERY_SECONDS'],
  },
  api: {
    required: ['MARKET_TABLE', 'USAGE_TABLE', 'SEGMENT_BUCKET', 'PUBLISHED_BUCKET', 'CHAIN'],
    optional: [],
  },
  /** It reads the service at the address that a message came to. */
  mcp: { required: [], optional: [] },
  /**
   * ORIGIN_SECRET: what the edge sends in the header ORIGIN_HEADER (schemas/api/access.ts). PREVIOUS_ORIGIN_SECRET: what it
   * may still send while a new one is rolled out.
   */
  authorizer: {
    required: ['ACCESS_TABLE', 'USAGE_TABLE', 'ORIGIN_SECRET'],
    optional: ['PREVIOUS_ORIGIN_SECRET'],
  },
  /** KEY_VALUE_STORE: the ARN of the edge's KeyValueStore. */
  countEdgeUsage: {
    required: ['ACCESS_TABLE', 'USAGE_TABLE', 'KEY_VALUE_STORE'],
    optional: ['METRICS_NAMESPACE'],
  },
  /** USAGE_PLANS: `basic=<id>,professional=<id>,enterprise=<id>`. */
  adminAccess: {
    required: ['ACCESS_TABLE', 'USAGE_TABLE', 'KEY_VALUE_STORE', 'USAGE_PLANS'],
    optional: ['CHAIN'],
  },
  /**
   * RPC_URLS: endpoints that tell whether a contract's wallet has signed. SITE_SCHEME: http or https, of the pages' address.
   * NEW_ACCOUNTS, NEW_ACCOUNTS_OF_NETWORK: how many may be made in a UTC day, in all and from a network. WEBHOOK_SECRET:
   * `whsec_…`, shared with the payment provider; without it there are no webhooks.
   */
  account: {
    required: [
      'ACCESS_TABLE',
      'USAGE_TABLE',
      'KEY_VALUE_STORE',
      'USAGE_PLANS',
      'CHAIN',
      'RPC_URLS',
      'SITE_SCHEME',
      'NEW_ACCOUNTS',
      'NEW_ACCOUNTS_OF_NETWORK',
    ],
    optional: ['WEBHOOK_SECRET', 'CODE_VERSION', 'METRICS_NAMESPACE'],
  },
  /** TRUSTED_PROXIES: how many stand before it, each of which adds to X-Forwarded-For. ORIGIN_SECRET: as the authorizer's; without it nothing is asked. */
  stream: {
    required: ['MARKET_TABLE', 'CHAIN', 'PORT', 'TRUSTED_PROXIES'],
    optional: ['METRICS_NAMESPACE', 'ORIGIN_SECRET'],
  },
  adminProofs: {
    required: ['MARKET_TABLE', 'SEGMENT_BUCKET', 'PUBLISHED_BUCKET', 'CHAIN'],
    optional: ['CODE_VERSION'],
  },
  adminSite: { required: ['PAGES_BUCKET'], optional: [] },
  adminPurge: { required: ['DISTRIBUTION_ID'], optional: [] },
} as const satisfies Record<string, { required: readonly string[]; optional: readonly string[] }>

export type ProcessName = keyof typeof processes

/** What `readEnv` returns: every required variable, and the optional ones that are set. */
export type Env<P extends ProcessName> = Readonly<
  Record<(typeof processes)[P]['required'][number], string> &
    Partial<Record<(typeof processes)[P]['optional'][number], string>>
>

/** A required environment variable is missing or empty. */
export class InvalidEnvError extends Error {
  readonly variable: string
  constructor(variable: string) {
    super(`Environment variable ${variable} must be set`)
    this.name = 'InvalidEnvError'
    this.variable = variable
  }
}

/** The variables of a process, from `environment` (process.env). Throws InvalidEnvError. */
export function readEnv<P extends ProcessName>(
  name: P,
  environment: Readonly<Record<string, string | undefined>>,
): Env<P> {
  const { required, optional } = processes[name]
  const found = new Map<string, string>()
  for (const variable of [...required, ...optional]) {
    const value = environment[variable]
    if (value) found.set(variable, value)
  }
  for (const variable of required) {
    if (!found.has(variable)) throw new InvalidEnvError(variable)
  }
  return Object.fromEntries(found) as Env<P>
}
