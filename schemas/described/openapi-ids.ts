/** Ids in paths, as OpenAPI describes them. */

/** What an id in a path names. */
export const ids = {
  token:
    'Address of the token in any case, also as `base_0x…` or `0x…:8453`, or the 32-byte id of its pool. Not a symbol.',
  snapshotId: 'Id of a snapshot, as in `X-Snapshot-Id`.',
  creator: 'Address of the creator or of a token of theirs, or the handle: the symbol of the creator token.',
  walletId: 'Address of the wallet.',
} as const

export type IdName = keyof typeof ids

/** What an id in a path names, by the path's first part. */
const idOfRoom: Readonly<Record<string, IdName>> = {
  snapshots: 'snapshotId',
  creators: 'creator',
  wallets: 'walletId',
}

/** What the id in a path names. */
export const idNameOf = (path: string): IdName => idOfRoom[path.split('/')[2] ?? ''] ?? 'token'
