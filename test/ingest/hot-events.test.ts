import fc from 'fast-check'
import { decodeEventLog } from 'viem'
import { describe, expect, it } from 'vitest'
import { type EventName, events } from '../../ingest/events.ts'
import { MalformedLogError } from '../../ingest/faults.ts'
import {
  decodeCoinTransfer,
  decodeModifyLiquidity,
  decodePoolSwap,
  decodeSwapped,
  decodeV3Swap,
} from '../../ingest/hot-events.ts'
import type { Log } from '../../ingest/logs.ts'
import type { Address, Hash } from '../../market/segment.ts'
import { logOf } from '../support/mock-chain.ts'

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((content): `0x${string}` => `0x${Buffer.from(content).toString('hex')}`)
const address = hexOf(20)
const word = hexOf(32)
/** Any number of so many bits; both ends for certain. */
const unsigned = (bits: number) =>
  fc.oneof(
    fc.constantFrom(0n, 1n, 2n ** BigInt(bits) - 1n),
    fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }),
  )
const signed = (bits: number) => {
  const half = 2n ** BigInt(bits - 1)
  return fc.oneof(fc.constantFrom(-half, -1n, 0n, half - 1n), fc.bigInt({ min: -half, max: half - 1n }))
}
const small = (arbitrary: fc.Arbitrary<bigint>) => arbitrary.map(Number)

const key = fc.record({
  currency0: address,
  currency1: address,
  fee: small(unsigned(24)),
  tickSpacing: small(signed(24)),
  hooks: address,
})

/** What viem reads from the log, with its addresses in lower case. */
const argsByViem = (name: EventName, log: Log): Record<string, unknown> => {
  const { args } = decodeEventLog({ abi: [events[name]], data: log.data, topics: log.topics as [Hash] })
  const lower = (value: unknown): unknown => {
    if (typeof value === 'string') return value.toLowerCase()
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, lower(inner)]))
  }
  return lower(args) as Record<string, unknown>
}

const agrees = (
  name: EventName,
  args: Record<string, fc.Arbitrary<unknown>>,
  check: (log: Log, viem: Record<string, unknown>) => void,
): void =>
  fc.assert(
    fc.property(fc.record(args), (values) => {
      const log = logOf({ from: '0x00000000000000000000000000000000000000aa', event: name, args: values })
      check(log, argsByViem(name, log))
    }),
  )

describe('decoding by hand says what viem says', () => {
  it('of Swapped, whatever its hook data', () =>
    agrees(
      'swapped',
      {
        sender: address,
        swapSender: address,
        isTrustedSwapSenderAddress: fc.boolean(),
        key,
        poolKeyHash: word,
        params: fc.record({
          zeroForOne: fc.boolean(),
          amountSpecified: signed(256),
          sqrtPriceLimitX96: unsigned(160),
        }),
        amount0: signed(128),
        amount1: signed(128),
        isCoinBuy: fc.boolean(),
        hookData: fc.uint8Array({ maxLength: 100 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
        sqrtPriceX96: unsigned(160),
      },
      (log, viem) => {
        const { currency0, currency1, hooks } = viem['key'] as Record<string, Address>
        expect(decodeSwapped(log)).toEqual({
          sender: viem['sender'],
          swapSender: viem['swapSender'],
          isTrusted: viem['isTrustedSwapSenderAddress'],
          poolId: viem['poolKeyHash'],
          key: { currency0, currency1, hooks },
          amount0: viem['amount0'],
          amount1: viem['amount1'],
          isCoinBuy: viem['isCoinBuy'],
          sqrtPriceX96: viem['sqrtPriceX96'],
        })
      },
    ))

  it('of CoinTransfer', () =>
    agrees(
      'coinTransfer',
      {
        sender: address,
        recipient: address,
        amount: unsigned(256),
        senderBalance: unsigned(256),
        recipientBalance: unsigned(256),
      },
      (log, viem) =>
        expect(decodeCoinTransfer(log)).toEqual({
          from: viem['sender'],
          to: viem['recipient'],
          amount: viem['amount'],
          fromBalance: viem['senderBalance'],
          toBalance: viem['recipientBalance'],
        }),
    ))

  it("of the PoolManager's Swap", () =>
    agrees(
      'poolSwap',
      {
        id: word,
        sender: address,
        amount0: signed(128),
        amount1: signed(128),
        sqrtPriceX96: unsigned(160),
        liquidity: unsigned(128),
        tick: small(signed(24)),
        fee: small(unsigned(24)),
      },
      (log, viem) =>
        expect(decodePoolSwap(log)).toEqual({
          poolId: viem['id'],
          sender: viem['sender'],
          sqrtPriceX96: viem['sqrtPriceX96'],
        }),
    ))

  it('of ModifyLiquidity, at the ends of int24 and int256', () =>
    agrees(
      'modifyLiquidity',
      {
        id: word,
        sender: address,
        tickLower: small(signed(24)),
        tickUpper: small(signed(24)),
        liquidityDelta: signed(256),
        salt: word,
      },
      (log, viem) =>
        expect(decodeModifyLiquidity(log)).toEqual({
          poolId: viem['id'],
          sender: viem['sender'],
          tickLower: viem['tickLower'],
          tickUpper: viem['tickUpper'],
          liquidityDelta: viem['liquidityDelta'],
        }),
    ))

  it("of a V3 pool's Swap", () =>
    agrees(
      'v3Swap',
      {
        sender: address,
        recipient: address,
        amount0: signed(256),
        amount1: signed(256),
        sqrtPriceX96: unsigned(160),
        liquidity: unsigned(128),
        tick: small(signed(24)),
      },
      (log, viem) => expect(decodeV3Swap(log)).toBe(viem['sqrtPriceX96']),
    ))
})

describe('a log that is cut short or garbled', () => {
  const transfer = logOf({
    from: '0x00000000000000000000000000000000000000aa',
    event: 'coinTransfer',
    args: {
      sender: `0x${'11'.repeat(20)}`,
      recipient: `0x${'22'.repeat(20)}`,
      amount: 1n,
      senderBalance: 2n,
      recipientBalance: 3n,
    },
  })

  it('is named, with its place', () => {
    const cut = { ...transfer, data: transfer.data.slice(0, -2) as Hash, blockNumber: 12, logIndex: 34 }
    expect(() => decodeCoinTransfer(cut)).toThrow(MalformedLogError)
    expect(() => decodeCoinTransfer(cut)).toThrow('block 12, log 34')
    expect(() => decodeCoinTransfer({ ...transfer, topics: transfer.topics.slice(0, 2) })).toThrow(
      MalformedLogError,
    )
    expect(() => decodeCoinTransfer({ ...transfer, data: `0x${'zz'.repeat(96)}` })).toThrow(MalformedLogError)
  })
})
