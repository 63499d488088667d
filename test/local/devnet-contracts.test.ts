import { type AbiEvent, toEventSelector, toEventSignature } from 'viem'
import { describe, expect, test } from 'vitest'
import { events } from '../../ingest/events.ts'
import {
  compilationOf,
  compileContracts,
  keptCompilation,
  solidityFiles,
} from '../../local/devnet/compile.ts'
import { compiledContracts, hookAddresses } from '../../local/devnet/contracts.ts'
import { published } from '../support/devnet-logs.ts'

/** The compiler takes 15 seconds: it runs where it is asked to. */
const COMPILE = process.env['COMPILE']

describe('the devnet contracts', () => {
  test('contracts.json was compiled from the sources as they are, and nobody has changed it since', () => {
    expect(compilationOf(compiledContracts)).toEqual(keptCompilation())
  })

  test.runIf(COMPILE)('contracts.json is what the compiler makes of the sources', () => {
    expect(compileContracts()).toEqual(compiledContracts)
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
    const own = [
      ...compiledContracts.contracts.DevFactory.abi,
      ...compiledContracts.contracts.DevToken.abi,
    ].filter((item): item is AbiEvent => item.type === 'event')
    for (const event of own) {
      // The published ABIs lack this one of the creator coin's.
      if (event.name === 'CreatorVestingClaimed') continue
      expect([event.name, shapes.get(toEventSelector(event))]).toEqual([event.name, shape(event)])
    }
  })

  test('topics of the hook and of what the ABI lacks are those that ingest knows, or seen on Base', () => {
    const topics = new Map(
      Object.values(compiledContracts.contracts)
        .flatMap(({ abi }) => abi)
        .flatMap((item) => (item.type === 'event' ? [[item.name, toEventSelector(item)] as const] : [])),
    )
    expect(topics.get('CreatorVestingClaimed')).toMatch(/^0x547365a9.*740a$/)
    const known = Object.values(events).filter(({ name }) => topics.has(name))
    expect(known.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Swapped', 'CoinTransfer', 'CoinCreatedV4', 'LiquidityMigrated']),
    )
    for (const event of known) expect(topics.get(event.name)).toBe(toEventSelector(event))
  })

  test('hooks stand where Uniswap reads afterInitialize, beforeSwap and afterSwap', () => {
    for (const hook of hookAddresses()) expect(Number.parseInt(hook.slice(-4), 16) & 0x3fff).toBe(0x10c0)
  })
})

function shape(event: AbiEvent): string {
  return `${toEventSignature(event)} ${event.inputs.map(({ indexed }) => (indexed ? 'indexed' : 'data')).join()}`
}
