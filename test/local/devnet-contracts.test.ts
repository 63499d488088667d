import { type AbiEvent, toEventSelector, toEventSignature } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  compilationOf,
  compileContracts,
  keptCompilation,
  solidityFiles,
} from '../../local/devnet/compile.ts'
import { compiled, hookAddresses } from '../../local/devnet/contracts.ts'
import { published } from '../support/devnet-logs.ts'

/** The compiler takes 15 seconds: it runs where it is asked to. */
const COMPILE = process.env['COMPILE']

describe('the devnet contracts', () => {
  test('contracts.json was compiled from the sources as they are, and nobody has changed it since', () => {
    expect(compilationOf(compiled)).toEqual(keptCompilation())
  })

  test.runIf(COMPILE)('contracts.json is what the compiler makes of the sources', () => {
    expect(compileContracts()).toEqual(compiled)
  })

  test('take nothing from others but files under the MIT licence', () => {
    const all = solidityFiles()
    expect(all.size).toBeGreaterThan(20)
    for (const [path, text] of all)
      expect(`${path}: ${text.split('\n')[0]}`).toMatch(/SPDX-License-Identifier: MIT$/)
  })

  test('declare each event as the platform publishes it, indexed fields too', () => {
    const shapes = new Map<string, string>()
    for (const item of [...published.coinFactoryABI, ...published.coinABI]) {
      if (item.type === 'event') shapes.set(toEventSelector(item), shape(item))
    }
    const own = [...compiled.contracts.DevFactory.abi, ...compiled.contracts.DevToken.abi].filter(
      (item): item is AbiEvent => item.type === 'event',
    )
    for (const event of own) {
      // The published ABIs lack this one of the creator coin's.
      if (event.name === 'CreatorVestingClaimed') continue
      expect([event.name, shapes.get(toEventSelector(event))]).toEqual([event.name, shape(event)])
    }
  })

  test('topics of the hook and of what the ABI lacks are those seen on Base', () => {
    const topics = new Map(
      Object.values(compiled.contracts)
        .flatMap(({ abi }) => abi)
        .flatMap((item) => (item.type === 'event' ? [[item.name, toEventSelector(item)] as const] : [])),
    )
    expect(topics.get('CreatorVestingClaimed')).toMatch(/^0x547365a9.*740a$/)
    // Computed from ourzora/zora-protocol's declarations and found on Base.
    expect(topics.get('Swapped')).toBe('0xd0565428a2140862827b5b6126002556c70acb52db537fae9cf41a18a470ec4a')
    expect(topics.get('CoinTransfer')).toBe(
      '0xa20126263d779da517a295859c8332765f45a215da1c42acac1b9e458a69a144',
    )
    expect(topics.get('CoinCreatedV4')).toBe(
      '0x2de436107c2096e039c98bbcc3c5a2560583738ce15c234557eecb4d3221aa81',
    )
    expect(topics.get('CreatorCoinCreated')).toBe(
      '0x74b670d628e152daa36ca95dda7cb0002d6ea7a37b55afe4593db7abd1515781',
    )
    expect(topics.get('TrendCoinCreated')).toBe(
      '0xfb9e81c36dd4134d4eb5055e20d3238cb29a63daef0dd0f8b0f131da85891959',
    )
    expect(topics.get('LiquidityMigrated')).toBe(
      '0x907fbdc07b1c9a591dc1287635b072fa848f4da7c86645dfc9b8bfb3b94f82ab',
    )
  })

  test('hooks stand where Uniswap reads afterInitialize, beforeSwap and afterSwap', () => {
    for (const hook of hookAddresses()) expect(Number.parseInt(hook.slice(-4), 16) & 0x3fff).toBe(0x10c0)
  })
})

function shape(event: AbiEvent): string {
  return `${toEventSignature(event)} ${event.inputs.map(({ indexed }) => (indexed ? 'indexed' : 'data')).join()}`
}
