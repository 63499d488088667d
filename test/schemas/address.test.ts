import fc from 'fast-check'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { networkOf, printedAddress, shortAddress, siteNetworkOf } from '../../schemas/values/address.ts'

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

  it('is counted by its network: an IPv4 address itself, an IPv6 /64 of a reader or /48 of a site', () => {
    expect([networkOf('203.0.113.7'), siteNetworkOf('203.0.113.7')]).toEqual(['203.0.113.7', '203.0.113.7'])
    expect(networkOf('2001:db8:1:2::3')).toBe('2001:db8:1:2')
    expect(siteNetworkOf('2001:db8:1:2::3')).toBe(siteNetworkOf('2001:db8:1:ffff::9'))
    expect(siteNetworkOf('2001:db8:2::1')).not.toBe(siteNetworkOf('2001:db8:1::1'))
  })

  it('has a short form', () => {
    expect(shortAddress('0xd8da6bf26964af9d7eed9e03e53415d37aa96045')).toBe('0xd8dA…6045')
  })
})
