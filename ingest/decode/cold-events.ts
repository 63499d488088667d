/** The cold events, decoded by viem: creations, migrations, renames, new contract URIs. Their texts are untrusted and cleaned here. */
import { decodeEventLog } from 'viem'
import type { Fact, FactOf } from '../../market/fold/fact.ts'
import type { Address, Coin, Hash, TokenKind } from '../../market/segment.ts'
import { cleanName, cleanSymbol, soundUri } from '../../market/text.ts'
import { MalformedLogError } from '../client/faults.ts'
import type { Log } from '../client/logs.ts'
import { type ColdTokenEvent, events, topicOf } from './events.ts'

/** The position of a log. */
export const positionOf = ({ blockNumber, logIndex, transactionHash }: Log) => ({
  blockNumber,
  logIndex,
  transactionHash,
})

/** Topics of creations, and the kind each creates. Trend coins have their own event, which is not read. */
export const kindOfCreation: ReadonlyMap<Hash, TokenKind> = new Map([
  [topicOf.creatorCoinCreated, 'creator'],
  [topicOf.coinCreated, 'post'],
])

/** A creation in a block of this time (Unix seconds). Throws MalformedLogError. */
export function decodeCreation(log: Log, timestamp: number): FactOf<'launched'> {
  const position = positionOf(log)
  const kind = kindOfCreation.get(log.topics[0] ?? '0x') ?? 'post'
  const { args } = soundly(log, () =>
    decodeEventLog({ abi: kind === 'creator' ? creatorCoinAbi : coinAbi, ...encoded(log) }),
  )
  const address = lower(args.coin)
  const coin: Coin = {
    address,
    kind,
    creator: lower(args.payoutRecipient),
    launchedBy: lower(args.caller),
    name: cleanName(args.name),
    symbol: cleanSymbol(args.symbol),
    nameSince: timestamp,
    symbolSince: timestamp,
    uri: soundUri(args.uri),
    quote: lower(args.currency),
    poolId: args.poolKeyHash,
    hook: lower(args.poolKey.hooks),
    isCurrency0: lower(args.poolKey.currency0) === address,
    launchedAt: { ...position, timestamp },
  }
  return { ...position, is: 'launched', coin }
}

/** A token's move to another pool. Throws MalformedLogError. */
export function decodeMigration(log: Log): FactOf<'migrated'> {
  const { toPoolKey, toPoolKeyHash } = migrationIn(log)
  return { ...positionOf(log), is: 'migrated', token: log.address, ...poolOf(log, toPoolKey, toPoolKeyHash) }
}

/** The pool that the token left. Throws MalformedLogError. */
export function poolLeftBy(log: Log) {
  const { fromPoolKey, fromPoolKeyHash } = migrationIn(log)
  return poolOf(log, fromPoolKey, fromPoolKeyHash)
}

const migrationIn = (log: Log) =>
  soundly(log, () => decodeEventLog({ abi: migrationAbi, ...encoded(log) })).args

/** The other currency of the pool is the quote. */
function poolOf(
  { address }: Log,
  { currency0, currency1, hooks }: ReturnType<typeof migrationIn>['toPoolKey'],
  poolId: Hash,
) {
  const isCurrency0 = lower(currency0) === address
  return { poolId, hook: lower(hooks), quote: lower(isCurrency0 ? currency1 : currency0), isCurrency0 }
}

/** A token's new name and symbol. Throws MalformedLogError. */
function decodeRename(log: Log): FactOf<'renamed'> {
  const { args } = soundly(log, () => decodeEventLog({ abi: renameAbi, ...encoded(log) }))
  return {
    ...positionOf(log),
    is: 'renamed',
    token: log.address,
    name: cleanName(args.newName),
    symbol: cleanSymbol(args.newSymbol),
  }
}

/** A token's new contract URI; its name has an event of its own. Throws MalformedLogError. */
function decodeUriUpdate(log: Log): FactOf<'uriUpdated'> {
  const { args } = soundly(log, () => decodeEventLog({ abi: metadataAbi, ...encoded(log) }))
  return { ...positionOf(log), is: 'uriUpdated', token: log.address, uri: soundUri(args.newURI) }
}

/** The decoders of the cold events of a token. */
export const coldTokenEvents: Readonly<Record<ColdTokenEvent, (log: Log) => Fact>> = {
  nameAndSymbolUpdated: decodeRename,
  contractMetadataUpdated: decodeUriUpdate,
}

/** The opening price of a pool. Throws MalformedLogError. */
export function decodeInitialize(log: Log): { readonly poolId: Hash; readonly sqrtPriceX96: bigint } {
  const { args } = soundly(log, () => decodeEventLog({ abi: initializeAbi, ...encoded(log) }))
  return { poolId: args.id, sqrtPriceX96: args.sqrtPriceX96 }
}

// One ABI per event, since viem hashes every entry of an ABI on each call.
const creatorCoinAbi = [events.creatorCoinCreated] as const
const coinAbi = [events.coinCreated] as const
const migrationAbi = [events.liquidityMigrated] as const
const renameAbi = [events.nameAndSymbolUpdated] as const
const metadataAbi = [events.contractMetadataUpdated] as const
const initializeAbi = [events.initialize] as const

const encoded = (log: Log) => ({ data: log.data, topics: log.topics as [Hash, ...Hash[]] })

const lower = (address: Address): Address => address.toLowerCase() as Address

function soundly<T>(log: Log, decode: () => T): T {
  try {
    return decode()
  } catch (cause) {
    throw new MalformedLogError(`block ${log.blockNumber}, log ${log.logIndex} of ${log.address}`, cause)
  }
}
