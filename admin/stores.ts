import { type Chain, chainNamed } from '../ingest/chains.ts'
import { readEnv } from '../schemas/env.ts'
import { type Bucket, openBucket } from '../store/bucket.ts'
import { type DocumentStore, openDocuments } from '../store/documents.ts'
import { type LogStore, openLog } from '../store/log.ts'
import { type Manifests, openManifests } from '../store/manifests.ts'
import { openTable, type Reads } from '../store/table.ts'
import type { Deployment } from './deployment.ts'

/** What a service has stored and published. The commands that prove it only read. */
export type ServiceStores = {
  readonly chain: Chain
  readonly table: Reads
  readonly log: LogStore
  readonly segments: Bucket
  readonly published: Bucket
  readonly manifests: Manifests
  /** The documents in the table. */
  readonly documents: DocumentStore
  /** Version of this code, as a manifest names it; undefined: it is not said. */
  readonly codeVersion: string | undefined
}

/** Opens the stores of a deployment. Throws InvalidEnvError, UnknownChainError. */
export function openStores({ env }: Deployment): ServiceStores {
  const { MARKET_TABLE, SEGMENT_BUCKET, PUBLISHED_BUCKET, CHAIN, CODE_VERSION } = readEnv('adminProofs', env)
  const table = openTable(MARKET_TABLE)
  const [segments, published] = [openBucket(SEGMENT_BUCKET), openBucket(PUBLISHED_BUCKET)]
  return {
    chain: chainNamed(CHAIN),
    ...{ table, segments, published, log: openLog(table, segments) },
    manifests: openManifests(published),
    documents: openDocuments(table),
    codeVersion: CODE_VERSION,
  }
}
