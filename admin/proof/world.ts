/** What the code takes for granted of a chain and of the protocol, compared with an endpoint and with the protocol's own package. Each difference is one line. */
import { type Abi, type AbiEvent, parseAbi, toEventSelector } from 'viem'
import { type Chain, chains } from '../../ingest/client/chains.ts'
import { headOf, readHeaders } from '../../ingest/client/headers.ts'
import type { Rpc } from '../../ingest/client/rpc.ts'
import { guessedTimeMs } from '../../ingest/client/schedule.ts'
import { type StateSource, slotOf, slotsAt, viewsAt } from '../../ingest/client/state-calls.ts'
import { events } from '../../ingest/decode/events.ts'
import { isPoolId } from '../../ingest/decode/queries.ts'
import type { RatePool } from '../../market/rate-source.ts'
import type { Address } from '../../market/segment.ts'

const CHAINS_FILE = 'ingest/client/chains.ts'

type ByChain = Readonly<Record<number, string>>

/** What is read of @zoralabs/protocol-deployments: addresses by chain, and the contracts' interfaces. */
export type Published = Readonly<
  Record<
    | 'coinFactoryAddress'
    | 'uniswapV4PoolManagerAddress'
    | 'zoraLimitOrderBookAddress'
    | 'zoraRouterAddress'
    | 'wethAddress',
    ByChain
  > &
    Record<'coinFactoryABI' | 'coinABI', Abi>
>

/** Differences between the package and the code. */
export function packageDifferences(published: Published, known: readonly Chain[] = Object.values(chains)) {
  const real = known.filter(({ publicEndpoints }) => publicEndpoints !== null)
  const ids = new Set(real.map(({ id }) => String(id)))
  const unknown = Object.keys(published.coinFactoryAddress).filter((id) => !ids.has(id))
  return [
    ...unknown.map((id) => `chain ${id} has a factory in the package, and is not in ${CHAINS_FILE}`),
    ...real.flatMap((chain) => addressDifferences(published, chain)),
    ...eventDifferences([published.coinFactoryABI, published.coinABI].flat()),
  ]
}

function addressDifferences(published: Published, chain: Chain): readonly string[] {
  const at = (addresses: ByChain) => addresses[chain.id]?.toLowerCase()
  const weth = chain.references.find(({ symbol }) => symbol === 'WETH')?.address
  const pairs = [
    ['factory', chain.factory, at(published.coinFactoryAddress)],
    ['PoolManager', chain.poolManager, at(published.uniswapV4PoolManagerAddress)],
    ['WETH', weth, at(published.wethAddress)],
  ] as const
  const book = at(published.zoraLimitOrderBookAddress)
  return [
    ...pairs.flatMap(([what, own, theirs]) =>
      own === theirs
        ? []
        : [`${chain.name}: the ${what} is ${theirs} in the package, and ${own} in ${CHAINS_FILE}`],
    ),
    ...unknownBook(chain, book, 'the package'),
  ]
}

const unknownBook = ({ name, internalSenders }: Chain, book: string | undefined, source: string) =>
  book === undefined || internalSenders.some((known) => known === book)
    ? []
    : [`${name}: the order book of ${source}, ${book}, is not among internalSenders in ${CHAINS_FILE}`]

/** Events of the package that have the name of one that is read, and another shape. */
function eventDifferences(abi: Abi): readonly string[] {
  const read: readonly AbiEvent[] = Object.values(events)
  const declared = abi.filter((item): item is AbiEvent => item.type === 'event')
  return read.flatMap((own) => {
    const theirs = declared.filter(({ name }) => name === own.name)
    const isSame = theirs.some((event) => toEventSelector(event) === toEventSelector(own))
    return theirs.length === 0 || isSame
      ? []
      : [`the event ${own.name} has another shape in the package than in ingest/decode/events.ts`]
  })
}

/** Differences between a chain, as an endpoint has it, and the code. `router`: the protocol's router there, if it has one. Throws IngestError. */
export async function chainDifferences(rpc: Rpc, chain: Chain, router?: string): Promise<readonly string[]> {
  const head = await headOf(rpc)
  const source = { rpc, block: head.number }
  const found = [
    await timeDifferences(rpc, chain, head.number),
    await codeDifferences(rpc, chain),
    await hookDifferences(source, chain),
    await routerDifferences(source, chain, router),
    await currencyDifferences(source, chain),
    await poolDifferences(source, chain),
  ]
  return found.flat()
}

/** Blocks of whose headers the times are compared with the schedule: the newest, and two before it. */
const AGES = [0, 1_000, 100_000] as const

async function timeDifferences(rpc: Rpc, { name, schedule }: Chain, head: number) {
  if (schedule.length === 0) return []
  const blocks = AGES.map((age) => Math.max(0, head - age))
  const headers = await readHeaders(rpc, blocks)
  return headers.flatMap(({ number, timestamp }) => {
    const guessed = Math.floor((guessedTimeMs(schedule, number) ?? 0) / 1_000)
    return guessed === timestamp
      ? []
      : [`${name}: block ${number} is of ${timestamp}, and of ${guessed} by the schedule in ${CHAINS_FILE}`]
  })
}

/** Contracts that are not there. */
async function codeDifferences(rpc: Rpc, chain: Chain): Promise<readonly string[]> {
  const contracts = [
    ['factory', chain.factory],
    ['PoolManager', chain.poolManager],
    ...chain.internalSenders.map((address) => ['internal sender', address] as const),
    ...chain.passThroughs.map((address) => ['pass-through', address] as const),
  ] as const
  const codes = await rpc.batch(
    contracts.map(([, address]) => ({ method: 'eth_getCode', params: [address, 'latest'] })),
  )
  return contracts.flatMap(([what, address], at) =>
    codes[at] === '0x' ? [`${chain.name}: the ${what} ${address} of ${CHAINS_FILE} has no code`] : [],
  )
}

const factoryAbi = parseAbi(['function hook() view returns (address)'])

/** The hook of new coins has its order book in its code: one that is unknown would have its fills counted as trades. */
async function hookDifferences(source: StateSource, chain: Chain): Promise<readonly string[]> {
  const [hook] = await viewsAt(source, { abi: factoryAbi, functionName: 'hook' }, [
    { address: chain.factory, args: [] },
  ])
  if (hook === undefined) return []
  const code = String(await source.rpc.request('eth_getCode', [hook, 'latest'])).toLowerCase()
  if (code === '0x') return [`${chain.name}: the hook of new coins, ${hook}, has no code`]
  const hasBook = chain.internalSenders.some((book) => code.includes(book.slice(2)))
  // The development chain's hooks ask their factory.
  return hasBook || chain.internalSenders.length === 0 || chain.publicEndpoints === null
    ? []
    : [
        `${chain.name}: the hook of new coins, ${hook}, names no order book of internalSenders in ${CHAINS_FILE}`,
      ]
}

const routerAbi = parseAbi(['function zoraLimitOrderBook() view returns (address)'])

async function routerDifferences(source: StateSource, chain: Chain, router: string | undefined) {
  if (!router) return []
  const view = { abi: routerAbi, functionName: 'zoraLimitOrderBook' } as const
  const [book] = await viewsAt(source, view, [{ address: router as Address, args: [] }])
  return unknownBook(chain, book?.toLowerCase(), 'the router')
}

const coinAbi = parseAbi([
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
])
/** Ether is no contract. */
const ETHER = `0x${'0'.repeat(40)}`

async function currencyDifferences(source: StateSource, { name, references }: Chain) {
  const coins = references.filter(({ address }) => address !== ETHER)
  const asked = coins.map(({ address }) => ({ address, args: [] as const }))
  const symbols = await viewsAt(source, { abi: coinAbi, functionName: 'symbol' }, asked)
  const decimals = await viewsAt(source, { abi: coinAbi, functionName: 'decimals' }, asked)
  return coins.flatMap((coin, at) =>
    symbols[at] === coin.symbol && decimals[at] === coin.decimals
      ? []
      : [
          `${name}: ${coin.address} is ${symbols[at]} of ${decimals[at]} decimals, and ${coin.symbol} of ${coin.decimals} in schemas/records/currencies.ts`,
        ],
  )
}

const poolAbi = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function liquidity() view returns (uint128)',
])

/** Sources of reference rates that are not there, hold nothing in range, or pair other currencies. */
async function poolDifferences(source: StateSource, chain: Chain): Promise<readonly string[]> {
  const found = chain.references.flatMap(({ address, sources }) =>
    sources.map((pool) => poolDifference(source, chain, { ...pool, address })),
  )
  return [...new Set(await Promise.all(found))].flatMap((what) =>
    what === undefined ? [] : [`${chain.name}: ${what}, in ${CHAINS_FILE}`],
  )
}

/** `address`: the currency that it prices. */
async function poolDifference(
  source: StateSource,
  { poolManager, references }: Chain,
  { pool, address, quote, isCurrency0 }: RatePool & { readonly address: Address },
): Promise<string | undefined> {
  if (isPoolId(pool)) {
    const [slot0] = await slotsAt(source, poolManager, [slotOf(pool)])
    return slot0 ? undefined : `the reference pool ${pool} has no price`
  }
  const asked = [{ address: pool, args: [] as const }]
  const [token0] = await viewsAt(source, { abi: poolAbi, functionName: 'token0' }, asked)
  const [token1] = await viewsAt(source, { abi: poolAbi, functionName: 'token1' }, asked)
  const [liquidity] = await viewsAt(source, { abi: poolAbi, functionName: 'liquidity' }, asked)
  // Pools of Ether hold it wrapped.
  const weth = references.find(({ symbol }) => symbol === 'WETH')?.address
  const pair = [address, quote].map((side) => (side === ETHER ? weth : side))
  if (`${token0},${token1}`.toLowerCase() !== (isCurrency0 ? pair : pair.reverse()).join())
    return `the reference pool ${pool} pairs ${token0} and ${token1}`
  return liquidity ? undefined : `the reference pool ${pool} has no liquidity in range`
}
