/** The pictures of links that are drawn again and again from what is published. */

/** Size in pixels, as readers of `og:image` want it; also of those that never change. */
export const PREVIEW_SIZE = { width: 1_200, height: 630 } as const

/** Where they lie below the service's address, and in the bucket of published documents. */
export const DRAWN_PREVIEWS = 'previews/'

/** Their names: with `.png`, the last part of an address. */
export const drawnPreviews = ['creators', 'posts', 'index'] as const
export type DrawnPreview = (typeof drawnPreviews)[number]

/** The key of one in the bucket, which is its path. */
export const previewKey = (name: DrawnPreview): string => `${DRAWN_PREVIEWS}${name}.png`

/** Most bytes of one; a larger one is not published. */
export const PREVIEW_BYTES_MAX = 120_000

/** Readers and the edge keep them for five minutes, and an old one while a new one is asked for. */
export const PREVIEW_CACHE = 'public, max-age=300, stale-while-revalidate=60'
