import { createHash } from 'node:crypto'
import { foldText } from '../../market/text.ts'
import { readSymbols } from '../../schemas/values/token-id.ts'
import type { Client } from '../typescript/index.ts'

/** Arguments of `verify_row`. */
export const verifyRowInput = {
  type: 'object',
  properties: {
    board: { type: 'string', enum: ['creators', 'posts'], description: 'The board of the row' },
    token: { type: 'string', description: 'Address of the token, or its symbol on the board' },
  },
  required: ['board', 'token'],
  additionalProperties: false,
} as const

/** Answer of `verify_row`. */
export const verifyRowOutput = {
  type: 'object',
  properties: {
    verified: {
      type: 'boolean',
      description: 'Whether the bytes of the board have the digest in the manifest',
    },
    row: { description: 'The row; null: the token is not on the board' },
    document: { type: 'string', description: 'The document that was checked' },
    sha256: { type: 'string', description: 'Digest of the bytes that were received' },
    expected: { type: ['string', 'null'], description: 'Digest in the manifest' },
    recompute: { type: 'string', description: 'Command that recomputes the snapshot from the chain' },
  },
  required: ['verified', 'row', 'document', 'sha256', 'expected', 'recompute'],
} as const

const PERIOD = '24h'

/** Reads a board, compares its digest with the one in the snapshot's manifest, and answers with the row of a token. */
export async function verifyRow(
  client: Client,
  { board, token }: { board: 'creators' | 'posts'; token: string },
) {
  const answer = await client.boards[board]({ timeframe: PERIOD })
  const sha256 = createHash('sha256').update(answer.text).digest('hex')
  const document = `v1/z100/${board}/${PERIOD}`
  const snapshotId = answer.snapshotId ?? ''
  const manifest = await client.snapshots.get(snapshotId)
  const expected = manifest.body.documents[document]?.sha256 ?? null
  // As it is written first: `$` may be part of a symbol, and another may be the same without it.
  const [row] = readSymbols(token).flatMap((wanted) =>
    answer.body.filter((each) => [each.contract_address, each.symbol].map(foldText).includes(wanted)),
  )
  return {
    answer,
    body: {
      verified: sha256 === expected,
      row: row ?? null,
      document,
      sha256,
      expected,
      recompute: `npm run admin -- verify ${snapshotId}`,
    },
  }
}
