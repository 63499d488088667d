import {
  type DrawnPreview,
  drawnPreviews,
  PREVIEW_BYTES_MAX,
  PREVIEW_CACHE,
  previewKey,
} from '../../schemas/pages/previews.ts'
import type { Bucket, StoredObject } from '../../store/aws/bucket.ts'
import { openManifests } from '../../store/published/manifests.ts'
import type { Raster } from './canvas.ts'
import { type Picture, pictures } from './pictures.ts'
import { pngOf } from './png.ts'

/** A preview that was not drawn or is too large; the one before it stays. */
export class UndrawnPreviewError extends Error {
  override readonly name = 'UndrawnPreviewError'
  constructor(preview: DrawnPreview, why: string, cause?: unknown) {
    super(`the preview ${preview} is not drawn: ${why}`, { cause })
  }
}

/** What a run did: the snapshot it was of, bytes of each preview that was put, and those that were not. */
export type DrawnRun = {
  readonly snapshot: string
  readonly bytes: Readonly<Partial<Record<DrawnPreview, number>>>
  readonly failures: readonly UndrawnPreviewError[]
}

/**
 * Draws every preview from the published documents and puts it beside them, each even if another one fails. null: there is
 * no snapshot yet. Rejects with the bucket's error.
 */
export async function drawPreviews(
  bucket: Bucket,
  drawn: Readonly<Record<DrawnPreview, Picture>> = pictures,
): Promise<DrawnRun | null> {
  const manifest = await openManifests(bucket).newest()
  if (!manifest) return null
  const { as_of: asOf, snapshot_id: snapshot } = manifest
  const run = { snapshot, bytes: {} as Record<string, number>, failures: [] as UndrawnPreviewError[] }
  for (const name of drawnPreviews) {
    const documents = await Promise.all(drawn[name].documents.map((key) => bucket.read(key)))
    const png = drawnOf(name, () => drawn[name].draw(documents.map(parsed), asOf))
    if (png instanceof UndrawnPreviewError) run.failures.push(png)
    else {
      await bucket.put(previewKey(name), png, { ...PUT, metadata: { snapshot } })
      run.bytes[name] = png.length
    }
  }
  return run
}

const PUT = { contentType: 'image/png', cacheControl: PREVIEW_CACHE }

/** The picture as PNG, or why there is none. */
function drawnOf(name: DrawnPreview, draw: () => Raster): Uint8Array | UndrawnPreviewError {
  try {
    const png = pngOf(draw())
    if (png.length <= PREVIEW_BYTES_MAX) return png
    return new UndrawnPreviewError(name, `it has ${png.length} bytes`)
  } catch (error) {
    return new UndrawnPreviewError(name, String(error), error)
  }
}

/** Throws where there is no such document. */
function parsed(object: StoredObject | undefined): unknown {
  if (!object) throw new Error('a document of it is not published')
  return JSON.parse(Buffer.from(object.bytes).toString())
}
