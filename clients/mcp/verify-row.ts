import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { foldText } from '../../market/text.ts'
import { textParameter } from '../../schemas/values/parameter-syntax.ts'
import { text, word } from '../../schemas/values/parameters.ts'
import { readSymbols } from '../../schemas/values/token-id.ts'
import { ApiError, type Client } from '../typescript/index.ts'
import { type Given, readValues } from './read-arguments.ts'
import type { Argument } from './tool-schemas.ts'

/** Arguments of `verify_row`. */
export const verifyRowArguments: readonly Argument[] = [
  {
    ...word(['board'], 'The board of the row', [['creators', 'posts'], '']),
    fallback: null,
    isRequired: true as const,
  },
  text('token', 'Address of the token, or its symbol on the board', {
    isRequired: true,
    syntax: textParameter(1, 256),
  }),
].map((parameter) => ({ name: parameter.names[0], parameter }))

/** What `verify_row` answers. */
export const verifyRowOutput = {
  verified: { type: 'boolean' },
  row: { type: ['object', 'null'] },
  document: { type: 'string' },
  sha256: { type: 'string' },
  expected: { type: ['string', 'null'] },
  recompute: { type: 'string' },
}

const PERIOD = '24h'

/** Reads a board, compares its digest with the one in the snapshot's manifest, and answers with the row of a token. */
export async function verifyRow(client: Client, given: Given, wait: Wait = setTimeout) {
  const { board = '', token = '' } = readValues(verifyRowArguments, given)
  const answer = await client.boards[board as 'creators' | 'posts']({ timeframe: PERIOD })
  const sha256 = createHash('sha256').update(answer.text).digest('hex')
  const document = `v1/z100/${board}/${PERIOD}`
  const snapshotId = answer.snapshotId ?? ''
  const manifest = await manifestOf(client, snapshotId, wait)
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

type Wait = (milliseconds: number) => Promise<unknown>

/** A manifest is written after its documents: that of a snapshot of this second may take some seconds. */
const WAITS_MS = [500, 1_000, 2_000]

async function manifestOf(client: Client, snapshotId: string, wait: Wait) {
  for (const milliseconds of WAITS_MS) {
    try {
      return await client.snapshots.get(snapshotId)
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error
    }
    await wait(milliseconds)
  }
  throw new Error(`The manifest of snapshot ${snapshotId} is being published: ask again in some seconds.`)
}
