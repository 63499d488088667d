import { getAddress } from 'viem/utils'
import type { Address } from '../market/segment.ts'

/** An address as it is printed on the wire: EIP-55 mixed case. */
export const printedAddress = (address: Address): string => getAddress(address)

/** The short form that stands for a creator without a token: 0x1234…abcd. */
export function shortAddress(address: Address): string {
  const printed = printedAddress(address)
  return `${printed.slice(0, 6)}…${printed.slice(-4)}`
}
