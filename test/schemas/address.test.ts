import fc from 'fast-check'
import { getAddress, keccak256 as oracle, stringToBytes } from 'viem'
import { describe, expect, it } from 'vitest'
import { printedAddress, shortAddress } from '../../schemas/address.ts'
import { keccak256 } from '../../schemas/keccak.ts'

describe('keccak256', () => {
  it('is that of Ethereum', () => {
    expect(keccak256('')).toBe('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
    const text = fc.string({ unit: 'binary', maxLength: 33 })
    fc.assert(
      fc.property(text, (value) => `0x${keccak256(value)}` === oracle(stringToBytes(value))),
      { numRuns: 500 },
    )
  })

  it('refuses what does not fit one block', () => {
    expect(`0x${keccak256('a'.repeat(135))}`).toBe(oracle(stringToBytes('a'.repeat(135))))
    expect(() => keccak256('a'.repeat(136))).toThrow()
  })
})

describe('an address', () => {
  const address = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)

  it('is printed in EIP-55 form', () => {
    fc.assert(
      fc.property(address, (value) => {
        expect(printedAddress(value)).toBe(getAddress(value))
        expect(printedAddress(value)).toBe(getAddress(value))
      }),
      { numRuns: 500 },
    )
  })

  it('has a short form', () => {
    expect(shortAddress('0xd8da6bf26964af9d7eed9e03e53415d37aa96045')).toBe('0xd8dA…6045')
  })
})
