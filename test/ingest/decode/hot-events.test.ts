import fc from 'fast-check'
import { decodeEventLog } from 'viem'
import { expect, it } from 'vitest'
import { MalformedLogError } from '../../../ingest/client/faults.ts'
import type { Log } from '../../../ingest/client/logs.ts'
import { type EventName, events } from '../../../ingest/decode/events.ts'
import {
  decodeCoinTransfer,
  decodeModifyLiquidity,
  decodePoolSwap,
  decodeSwapped,
  decodeV3Swap,
} from '../../../ingest/decode/hot-events.ts'
import type { Hash } from '../../../market/segment.ts'
import { logOf, transferLog } from '../../support/chain/raw-logs.ts'

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((content): `0x${string}` => `0x${Buffer.from(content).toString('hex')}`)
/** Any number of so many bits, as viem takes it; both ends for certain. */
function numberOf(bits: number, isSigned: boolean): fc.Arbitrary<bigint | number> {
  const [min, max] = isSigned
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n]
  const any = fc.oneof(fc.constantFrom(min, 0n, 1n, max), fc.bigInt({ min, max }))
  return bits <= 48 ? any.map(Number) : any
}

/** Whatever an argument's type allows. */
function valueFor({ type, components = [] }: Argument): fc.Arbitrary<unknown> {
  const [, sign, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  if (bits) return numberOf(Number(bits), sign === '')
  if (type === 'address') return hexOf(20)
  if (type === 'bool') return fc.boolean()
  if (type === 'bytes') return fc.nat(100).chain(hexOf)
  return type === 'tuple' ? argsOf(components) : hexOf(32)
}
type Argument = { readonly name?: string; readonly type: string; readonly components?: readonly Argument[] }
const argsOf = (inputs: readonly Argument[]) =>
  fc.record(Object.fromEntries(inputs.map((input) => [input.name ?? '', valueFor(input)])))

/** What viem reads from the log, with its addresses in lower case. */
function argsByViem(name: EventName, log: Log): Record<string, unknown> {
  const { args } = decodeEventLog({ abi: [events[name]], data: log.data, topics: log.topics as [Hash] })
  const lower = (value: unknown): unknown => {
    if (typeof value === 'string') return value.toLowerCase()
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, lower(inner)]))
  }
  return lower(args) as Record<string, unknown>
}

type Read = Record<string, unknown>
/** Our names of fields, and viem's. */
const fields = (names: Readonly<Record<string, string>>) => (args: Read) =>
  Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [ours, args[theirs]]))
const same = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]))
const keyOf = fields(same('currency0', 'currency1', 'hooks'))
const tradeOf = fields({
  isTrusted: 'isTrustedSwapSenderAddress',
  poolId: 'poolKeyHash',
  ...same('sender', 'swapSender', 'amount0', 'amount1', 'isCoinBuy', 'sqrtPriceX96'),
})
const moveOf = fields({
  from: 'sender',
  to: 'recipient',
  amount: 'amount',
  fromBalance: 'senderBalance',
  toBalance: 'recipientBalance',
})
const atPool = (...names: readonly string[]) => fields({ poolId: 'id', ...same('sender', ...names) })
/** How each is decoded by hand, and what of viem's reading that is. */
const decoded: readonly [name: EventName, decode: (log: Log) => unknown, read: (args: Read) => unknown][] = [
  ['swapped', decodeSwapped, (args) => ({ ...tradeOf(args), key: keyOf(args['key'] as Read) })],
  ['coinTransfer', decodeCoinTransfer, moveOf],
  ['poolSwap', decodePoolSwap, atPool('sqrtPriceX96', 'liquidity')],
  ['modifyLiquidity', decodeModifyLiquidity, atPool('tickLower', 'tickUpper', 'liquidityDelta')],
  ['v3Swap', decodeV3Swap, fields(same('sqrtPriceX96', 'liquidity'))],
]

it.each(decoded)('decodes %s as viem does, whatever its arguments', (event, decode, read) => {
  const from = '0x00000000000000000000000000000000000000aa'
  fc.assert(
    fc.property(argsOf(events[event].inputs), (args) => {
      const log = logOf({ from, event, args })
      expect(decode(log)).toEqual(read(argsByViem(event, log)))
    }),
  )
})

const transfer = logOf(transferLog('0x00000000000000000000000000000000000000aa'))

it('a log that is cut short or garbled is reported with its position', () => {
  const cut = { ...transfer, data: transfer.data.slice(0, -2) as Hash, blockNumber: 12, logIndex: 34 }
  expect(() => decodeCoinTransfer(cut)).toThrow(MalformedLogError)
  expect(() => decodeCoinTransfer(cut)).toThrow('block 12, log 34')
  expect(() => decodeCoinTransfer({ ...transfer, topics: transfer.topics.slice(0, 2) })).toThrow(
    MalformedLogError,
  )
  expect(() => decodeCoinTransfer({ ...transfer, data: `0x${'zz'.repeat(96)}` })).toThrow(MalformedLogError)
})
