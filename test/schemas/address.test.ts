import fc from 'fast-check'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { printedAddress, shortAddress } from '../../schemas/address.ts'

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
