import { openBucket } from './bucket.ts'
import { type Manifests, openManifests } from './manifests.ts'

/** The manifests in the bucket of this name. */
export const openPublishedManifests = (bucket: string): Manifests => openManifests(openBucket(bucket))
