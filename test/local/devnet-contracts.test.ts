import { type AbiEvent, toEventSelector, toEventSignature } from 'viem'
import { describe, expect, test } from 'vitest'
import { compilationOf, compileContracts, keptCompilation, solidityFiles } from '../../dev/devnet/compile.ts'
import { compiledContracts, hookAddresses } from '../../dev/devnet/contracts.ts'
import { events } from '../../ingest/decode/events.ts'
import { published } from '../support/chain/devnet-logs.ts'

/** The compiler takes 15 seconds, so it runs only on request. */
const COMPILE = process.env['COMPILE']

describe('the devnet contracts', () => {
  test('contracts.json is unchanged since it was compiled from these sources', () => {
    expect(compilationOf(compiledContracts)).toEqual(keptCompilation())
  })

  test.runIf(COMPILE)('contracts.json is the output of the compiler', () => {
    expect(compileContracts()).toEqual(compiledContracts)
  })

  test('only import files under the MIT licence', () => {
    const all = solidityFiles()
    expect(all.size).toBeGreaterThan(20)
    for (const [path, text] of all)
      expect(`${path}: ${text.split('\n')[0]}`).toMatch(/SPDX-License-Identifier: MIT$/)
  })

  test('declare each event as published by the platform, including indexed fields', () => {
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

  test('have the event topics that ingest knows, and those seen on Base', () => {
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

  test('have hook addresses with the flags of afterInitialize, beforeSwap and afterSwap', () => {
    for (const hook of hookAddresses()) expect(Number.parseInt(hook.slice(-4), 16) & 0x3fff).toBe(0x10c0)
  })
})

function shape(event: AbiEvent): string {
  return `${toEventSignature(event)} ${event.inputs.map(({ indexed }) => (indexed ? 'indexed' : 'data')).join()}`
}
