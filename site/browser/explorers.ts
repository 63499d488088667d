/** Where else a token can be looked at, by the chain that `/v1/status` names. A chain without an entry has no such place. */
const places: Readonly<Record<string, readonly (readonly [label: string, address: string])[]>> = {
  base: [
    ['Basescan', 'https://basescan.org/token/'],
    ['Zora', 'https://zora.co/coin/base:'],
  ],
  'base-sepolia': [
    ['Basescan', 'https://sepolia.basescan.org/token/'],
    ['Zora', 'https://testnet.zora.co/coin/bsep:'],
  ],
}

/** Labels and addresses of a token's pages elsewhere. */
export const pagesOf = (
  chain: string | null,
  token: string,
): readonly (readonly [label: string, href: string])[] =>
  (chain === null ? [] : (places[chain] ?? [])).map(([label, address]) => [
    label,
    address + token.toLowerCase(),
  ])
