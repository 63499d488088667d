import type { Manifests } from './manifests.ts'

/**
 * The manifests in a bucket, whose client and validator are loaded with their first use: for processes that nearly never
 * use them and must start fast.
 */
export function openManifestsLate(bucket: string): Pick<Manifests, 'newest' | 'byId' | 'list'> {
  let opened: Promise<Manifests> | undefined
  const manifests = (): Promise<Manifests> => {
    opened ??= import('./published-manifests.ts').then(({ openPublishedManifests }) =>
      openPublishedManifests(bucket),
    )
    return opened
  }
  return {
    newest: async () => (await manifests()).newest(),
    byId: async (snapshotId) => (await manifests()).byId(snapshotId),
    list: async (page) => (await manifests()).list(page),
  }
}
