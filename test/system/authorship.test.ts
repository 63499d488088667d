/** A stranger's launches in an author's name, on the development chain: what is published of them, and what the oracle makes of the raw logs. */
import { getAddress } from 'viem'
import { afterAll, expect, it } from 'vitest'
import { launchCreator, launchPost, trade } from '../../dev/devnet/actions.ts'
import type { BookToken } from '../../dev/devnet/book.ts'
import type { Devnet } from '../../dev/devnet/chain.ts'
import {
  calldata,
  passThroughAddress,
  strangersPassThroughAddress,
  zoraAddress,
} from '../../dev/devnet/contracts.ts'
import type { TransactionDraft } from '../../dev/devnet/miner.ts'
import { zoraFor } from '../../dev/devnet/traders.ts'
import { chains } from '../../ingest/client/chains.ts'
import { listsOf } from '../../market/board/lists.ts'
import { rankedMarket } from '../../market/board/rankings.ts'
import type { BoardRow } from '../../market/board/row.ts'
import type { Address } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { boardFields } from '../../schemas/records/token-row.ts'
import { shortAddress } from '../../schemas/values/address.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { windowsOf } from '../../snapshot/engine/engine.ts'
import { rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { expectedBoards, readMarket } from '../oracle/boards.ts'
import { memoryStores, startWriter, untilIdle } from '../support/aws/ingest-stores.ts'
import { startQuietDevnet } from '../support/chain/quiet-devnet.ts'

const START = 1_750_000_000

const printed = (row: BoardRow): unknown => JSON.parse(rowWriter(boardFields)(row))

let devnet: Devnet | undefined
afterAll(() => devnet?.stop())

it('a stranger’s tokens in an author’s name take neither posts nor handle nor name, and the boards are the oracle’s', async () => {
  const chain = await startQuietDevnet({
    seed: 7,
    now: () => START * 1_000,
    history: { blocks: 20, days: 1, trades: 60, creators: 6, posts: 6 },
  })
  devnet = chain
  const [author, stranger] = chain.wallets.toReversed() as [Address, Address]
  let at = START
  const mine = async (drafts: readonly TransactionDraft[] = []) => {
    at += 60
    expect((await chain.mineBlock(at, drafts)).failed).toEqual([])
  }
  const launched = async (draft: TransactionDraft): Promise<BookToken> => {
    const before = new Set(chain.tokens().map(({ address }) => address))
    await mine([draft])
    return chain.tokens().find(({ address }) => !before.has(address)) as BookToken
  }
  const buy = (wallet: Address, { key }: BookToken, usd: number) =>
    trade({ wallet, path: [key], currencyIn: zoraAddress, amountIn: zoraFor(usd) })

  const post = await launched(launchPost(author, { name: 'A walk', symbol: 'walk', quote: zoraAddress }))
  await mine([buy(stranger, post, 300)])
  const inTheirName = { payoutRecipient: author }
  const strangers = await launched(
    launchCreator(stranger, { name: 'Author', symbol: 'author', ...inTheirName }),
  )
  const authors = await launched(launchCreator(author, { name: 'The author', symbol: 'author' }))
  const copy = await launched(launchCreator(stranger, { name: 'x', symbol: '@Áuthor', ...inTheirName }))
  const passed = (contract: Address, launch: TransactionDraft) =>
    launched({ from: author, to: contract, data: calldata('PassThrough', 'pass', [launch.to, launch.data]) })
  const named = (symbol: string) => launchCreator(author, { name: symbol, symbol })
  // What the author signs for the platform's contract is theirs; what a stranger's contract launches on their click is not.
  const own = await passed(passThroughAddress, named('second'))
  const clicked = await passed(strangersPassThroughAddress, named('clicked'))
  const inStyle = await launched(
    launchPost(stranger, { name: 'In their style', symbol: 'style', quote: authors.address, ...inTheirName }),
  )
  await mine([authors, copy, own, clicked].map((token) => buy(stranger, token, 100)))
  await mine([
    trade({
      wallet: stranger,
      path: [authors.key, inStyle.key],
      currencyIn: zoraAddress,
      amountIn: zoraFor(20),
    }),
  ])
  for (let minute = 0; minute < 4; minute++) await mine()

  const [stores, warm] = [memoryStores(), {} as Warm]
  await untilIdle(startWriter(stores, chain.rpcUrl))
  await rebuild(stores, { clock: () => 0, warm })
  if (!warm.engine) throw new RangeError('nothing was rebuilt')
  const market = rankedMarket(windowsOf(warm.engine))
  const { boards } = listsOf(market)
  const rowOf = (kind: 'creator' | 'post', { address }: BookToken) =>
    boards[kind]['24h'].find(({ token }) => token.address === address)
  expect(rowOf('creator', strangers)).toBeUndefined()
  expect(rowOf('post', post)?.creatorToken?.address).toBe(authors.address)
  expect(rowOf('creator', authors)).toMatchObject({
    // The author's own post, and a stranger's that is quoted in the token.
    portfolio: { postsCount: 2 },
    nameFlags: { lookalikeOf: null },
  })
  expect(rowOf('creator', copy)).toMatchObject({
    token: { creator: author, launchedBy: stranger },
    portfolio: { postsCount: 0 },
    nameFlags: { lookalikeOf: authors.address },
  })
  expect(rowOf('creator', own)).toMatchObject({ token: { creator: author, launchedBy: author } })
  expect(rowOf('creator', clicked)).toMatchObject({
    token: { creator: author, launchedBy: strangersPassThroughAddress },
    portfolio: { postsCount: 0 },
  })
  const styled = rowOf('post', inStyle)
  expect(styled).toMatchObject({ token: { creator: author, launchedBy: stranger } })
  expect(styled && printed(styled)).toMatchObject({
    creator_verified: false,
    creator_handle: shortAddress(stranger),
    creator_name: null,
    quoted_in: { address: getAddress(authors.address), symbol: 'author' },
  })

  const { number } = chain.head()
  const expected = expectedBoards(await readMarket(chain.rpcUrl, chains.devnet, number), asOf(market.minute))
  for (const kind of ['creator', 'post'] as const)
    expect(boards[kind]['24h'].map(({ token }) => token.address)).toEqual(
      expected[`${kind}s`]['24h']?.map(({ coin }) => coin.address),
    )
})
