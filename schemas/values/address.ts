import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex } from '@noble/hashes/utils'
import { LRUCache } from 'lru-cache'
import type { Address } from '../../market/segment.ts'

/** Boards print the same few thousand addresses each minute, and a day of the archive some ten thousand. */
const printed = new LRUCache<Address, string>({ max: 50_000 })

/** An address as it is printed on the wire: EIP-55 mixed case. */
export function printedAddress(address: Address): string {
  const known = printed.get(address)
  if (known !== undefined) return known
  const text = checksummed(address)
  printed.set(address, text)
  return text
}

/** A letter is upper case where the digest of the lower-case digits has 8 or more in its place. */
function checksummed(address: Address): string {
  const digits = address.slice(2).toLowerCase()
  const digest = bytesToHex(keccak_256(digits))
  return `0x${[...digits].map((digit, at) => ((digest[at] ?? '0') >= '8' ? digit.toUpperCase() : digit)).join('')}`
}

/** The short form, for what has no name: 0x1234…abcd. */
export function shortAddress(address: Address): string {
  const text = printedAddress(address)
  return `${text.slice(0, 6)}…${text.slice(-4)}`
}

/** Groups of an IPv6 address, and those of them that name a reader's network and a site's. */
const GROUPS = 8
const NETWORK_GROUPS = 4
const SITE_GROUPS = 3

/** The rate-limit key of a reader's address: the IPv4 address, or its IPv6 /64. */
export const networkOf = (address: string): string => prefixOf(address, NETWORK_GROUPS)

/** The same of a whole site, which is given many /64: the IPv4 address, or its IPv6 /48. */
export const siteNetworkOf = (address: string): string => prefixOf(address, SITE_GROUPS)

function prefixOf(address: string, groups: number): string {
  const bare = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  if (!bare.includes(':')) return bare
  const [front = [], back = []] = bare.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(Math.max(0, GROUPS - front.length - back.length)).fill('0')
  return [...front, ...zeros, ...back]
    .slice(0, groups)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/** The network that new accounts are counted by, as it is written: an IPv4 /24 or an IPv6 /48. */
export function signUpNetworkOf(address: string): string {
  const site = siteNetworkOf(address)
  if (site.includes(':')) return `${site}::/48`
  return site === '' ? '' : `${site.replace(/\.\d+$/, '.0')}/24`
}
