/** Addresses of published documents. */

/** Parameters of documents, in order, by the path of their operation. */
const parametersOfPaths: readonly (readonly [path: string, names: readonly string[]])[] = [
  ['v1/z100/creators', ['period']],
  ['v1/z100/posts', ['period']],
  ['v1/z100/index', ['period']],
  ['v1/all', ['period']],
  ['v1/market/trending', ['timeframe', 'sort_by']],
  ['v1/market/volume', ['period']],
]

/** The address of a document: `v1/z100/posts/7d` is `/v1/z100/posts?period=7d`. */
export function documentUrl(document: string): string {
  const found = parametersOfPaths.find(
    ([path]) => document.startsWith(`${path}/`) && /^\d/.test(document.slice(path.length + 1)),
  )
  if (!found) return `/${document}`
  const [path, names] = found
  const values = document.slice(path.length + 1).split('/')
  const query = new URLSearchParams(names.map((name, n) => [name, values[n] ?? ''] as [string, string]))
  return `/${path}?${query}`
}

/** Explorers of tokens, by the chain that `/v1/status` names. A chain without an entry has none. */
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

/** Labels and addresses of a token's pages on explorers. */
export const pagesOf = (
  chain: string | null,
  token: string,
): readonly (readonly [label: string, href: string])[] =>
  (chain === null ? [] : (places[chain] ?? [])).map(([label, address]) => [
    label,
    address + token.toLowerCase(),
  ])
