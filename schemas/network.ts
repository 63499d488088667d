/** Groups of an IPv6 address, and those of them that name its network. */
const GROUPS = 8
const NETWORK_GROUPS = 4

/** What a reader's address stands for: an IPv4 address itself, of an IPv6 one the network of 64 bits that one reader has. */
export function networkOf(address: string): string {
  const bare = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  if (!bare.includes(':')) return bare
  const [front = [], back = []] = bare.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(Math.max(0, GROUPS - front.length - back.length)).fill('0')
  return [...front, ...zeros, ...back]
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
