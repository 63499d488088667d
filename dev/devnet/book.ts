/** The traders' knowledge: the tokens of the chain and their buyers, read from its logs. */
import { type Abi, decodeEventLog, encodeEventTopics, padHex } from 'viem'
import type { PoolKey } from '../../ingest/decode/pool-state.ts'
import type { Address, Hash } from '../../market/segment.ts'
import type { Anvil } from './anvil.ts'
import { abiOf, type ContractName, factoryAddress, lower, managerAddress, zoraAddress } from './contracts.ts'
import type { RawLog } from './miner.ts'

/** A token that can be traded. */
export type BookToken = {
  readonly address: Address
  readonly kind: 'creator' | 'post' | 'trend'
  /** Its launcher, who may rename or migrate it. */
  readonly owner: Address
  readonly payoutRecipient: Address
  readonly name: string
  readonly symbol: string
  readonly quote: Address
  /** Its current pool. */
  readonly key: PoolKey
}

/** Updated from the chain's logs. */
export type Book = {
  /** In launch order. */
  tokens(kind?: BookToken['kind']): readonly BookToken[]
  token(address: Address): BookToken | undefined
  /** Pairs of a wallet and a token that it has bought from a pool, oldest first. */
  buyers(): readonly { readonly wallet: Address; readonly token: Address }[]
  apply(logs: readonly RawLog[]): void
}

function eventOf(contract: ContractName, name: string) {
  const abi = abiOf(contract, 'event', name)
  return { abi, topic: encodeEventTopics({ abi, eventName: name })[0] as Hash }
}

const creations = new Map(
  (
    [
      ['CreatorCoinCreated', 'creator'],
      ['CoinCreatedV4', 'post'],
      ['TrendCoinCreated', 'trend'],
    ] as const
  ).map(([event, kind]) => {
    const { topic, abi } = eventOf('DevFactory', event)
    return [topic, { kind, abi }]
  }),
)
const migrated = eventOf('DevToken', 'LiquidityMigrated')
const coinTransfer = eventOf('DevToken', 'CoinTransfer').topic
const managerTopic = padHex(managerAddress)

/** A book of the whole chain so far. */
export async function readBook(anvil: Anvil, wallets: readonly Address[]): Promise<Book> {
  const book = openBook(wallets)
  const range = { fromBlock: '0x0', toBlock: 'latest' }
  const filters = [
    { ...range, address: factoryAddress, topics: [[...creations.keys()]] },
    { ...range, topics: [migrated.topic] },
    { ...range, topics: [coinTransfer, managerTopic] },
  ]
  for (const filter of filters) book.apply((await anvil.request('eth_getLogs', [filter])) as RawLog[])
  return book
}

/** An empty book. Only `wallets` count as buyers, not hooks and routers. */
export function openBook(wallets: readonly Address[]): Book {
  const walletOfTopic = new Map(wallets.map((wallet) => [padHex(wallet), wallet]))
  const tokens = new Map<Address, BookToken>()
  const buyers = new Map<string, { wallet: Address; token: Address }>()
  const applyOne = (log: RawLog) => {
    const topic = log.topics[0] ?? '0x'
    const creation = creations.get(topic)
    if (creation && log.address === factoryAddress) {
      const token = launchedToken(log, creation)
      tokens.set(token.address, token)
    }
    const known = tokens.get(log.address)
    if (!known) return
    if (topic === migrated.topic) tokens.set(log.address, { ...known, key: migratedKey(log) })
    const wallet = walletOfTopic.get(log.topics[2] ?? '0x')
    if (topic !== coinTransfer || log.topics[1] !== managerTopic || !wallet) return
    // The recipient's allotment never came from the pool, so it could not all be sold into it.
    if (wallet !== known.payoutRecipient)
      buyers.set(`${wallet}${log.address}`, { wallet, token: log.address })
  }
  return {
    tokens: (kind) => [...tokens.values()].filter((token) => !kind || token.kind === kind),
    token: (address) => tokens.get(address),
    buyers: () => [...buyers.values()],
    apply: (logs) => {
      for (const log of logs) applyOne(log)
    },
  }
}

type CreationArgs = {
  readonly caller: Address
  readonly payoutRecipient?: Address
  readonly currency?: Address
  readonly name?: string
  readonly symbol: string
  readonly coin: Address
  readonly poolKey: PoolKey
}

function launchedToken(log: RawLog, { kind, abi }: { kind: BookToken['kind']; abi: Abi }): BookToken {
  const args = decoded(log, abi) as CreationArgs
  return {
    address: lower(args.coin),
    kind,
    owner: lower(args.caller),
    payoutRecipient: lower(args.payoutRecipient ?? args.caller),
    name: args.name ?? args.symbol,
    symbol: args.symbol,
    quote: lower(args.currency ?? zoraAddress),
    key: lowerKey(args.poolKey),
  }
}

function migratedKey(log: RawLog): PoolKey {
  return lowerKey((decoded(log, migrated.abi) as { toPoolKey: PoolKey }).toPoolKey)
}

function decoded(log: RawLog, abi: Abi): unknown {
  const [topic, ...rest] = log.topics
  return decodeEventLog({ abi, data: log.data, topics: [topic ?? '0x', ...rest] }).args
}

const lowerKey = (key: PoolKey): PoolKey => ({
  ...key,
  currency0: lower(key.currency0),
  currency1: lower(key.currency1),
  hooks: lower(key.hooks),
})
