/** A node of a generated chain: it answers JSON-RPC, state of any block included. */
import {
  concat,
  decodeAbiParameters,
  decodeFunctionData,
  deploylessCallViaBytecodeBytecode,
  encodeFunctionResult,
  encodePacked,
  type Hex,
  keccak256,
  multicall3Abi,
  numberToHex,
  pad,
  parseAbi,
  slice,
} from 'viem'
import { extsload, slotOf } from '../../../ingest/client/state-calls.ts'
import { poolIdOf } from '../../../ingest/decode/pool-state.ts'
import type { Address, Hash } from '../../../market/segment.ts'
import { type GeneratedChain, type GeneratedToken, TICK } from './generated-chain.ts'
import { type ChainNode, openNode } from './json-rpc.ts'
import { CONTRACT_URI, nobody, referencePool, sketchPoolKey } from './raw-logs.ts'

/** Opens a node. */
export const openGeneratedNode = (chain: GeneratedChain): ChainNode =>
  openNode({ ...chain, id: chain.rules.id, call: openState(chain) })

type Asked = { readonly to?: Address; readonly data: Hex }

const views = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct LpPosition { int24 tickLower; int24 tickUpper; uint128 liquidity; }',
  'struct PoolCoin { address coin; LpPosition[] positions; }',
  'function getVersionForDeployedCoin(address coin) view returns (uint8)',
  'function getPoolKey() view returns (PoolKey)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function contractURI() view returns (string)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function payoutRecipient() view returns (address)',
  'function coinType() view returns (uint8)',
  'function getPoolCoin(PoolKey key) view returns (PoolCoin)',
])

/** What contracts answer after a block. */
function openState(chain: GeneratedChain) {
  const words = wordsOf(chain)
  const pools = new Map(chain.traded().map((token) => [token.poolId, token]))
  const view = (to: Address, data: Hex, block: number): Hex => {
    const call = decodeFunctionData({ abi: views, data })
    const token = chain.tokenBy(to, block)
    const given = (result: unknown): Hex =>
      encodeFunctionResult({ abi: views, functionName: call.functionName, result } as never)
    if (call.functionName === 'getVersionForDeployedCoin')
      return given(to === chain.rules.factory && chain.tokenBy(call.args[0].toLowerCase(), block) ? 4 : 0)
    if (call.functionName === 'getPoolCoin') {
      const pool = pools.get(poolIdOf(call.args[0]))
      return given({
        coin: pool?.coin ?? nobody,
        positions: pool ? [{ tickLower: -TICK, tickUpper: TICK, liquidity: pool.liquidity }] : [],
      })
    }
    if (!token) throw new Error('no contract')
    const plain = {
      getPoolKey: () => sketchPoolKey(token),
      name: () => token.name,
      symbol: () => token.symbol,
      contractURI: () => CONTRACT_URI,
      totalSupply: () => token.supply,
      payoutRecipient: () => token.creator,
      coinType: () => (token.kind === 'creator' ? 0 : 1),
      balanceOf: () => balanceOf(token, String(call.args?.[0]).toLowerCase(), block),
    }
    return given(plain[call.functionName]())
  }
  const balanceOf = (token: GeneratedToken, holder: string, block: number): bigint =>
    holder === token.coin
      ? token.selfHeld
      : holder === chain.rules.poolManager
        ? chain.standingOf(token, block).pooled
        : 0n

  return ({ to, data }: Asked, block: number): Hex => {
    if (to) {
      if (to !== chain.rules.poolManager) return view(to, data, block)
      if (!data.startsWith('0x')) throw new Error('no data')
      try {
        const [slots] = decodeFunctionData({ abi: extsload, data }).args
        const result = slots.map((slot) => pad(numberToHex(words(slot, block))))
        return encodeFunctionResult({ abi: extsload, result })
      } catch {
        return '0x'
      }
    }
    // Many at once, as the creation of a contract that asks Multicall3.
    const parts = slice(data, (deploylessCallViaBytecodeBytecode.length - 2) / 2)
    const [, inner] = decodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], parts)
    const { args } = decodeFunctionData({ abi: multicall3Abi, data: inner })
    const [calls] = args as readonly [readonly { readonly target: Address; readonly callData: Hex }[]]
    const result = calls.map(({ target, callData }) => {
      try {
        return { success: true, returnData: view(target.toLowerCase() as Address, callData, block) }
      } catch {
        return { success: false, returnData: '0x' as const }
      }
    })
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
  }
}

/** Words of the PoolManager's storage: of each pool its price, the two ticks of its range, and the liquidity there. */
function wordsOf(chain: GeneratedChain): (slot: Hash, block: number) => bigint {
  const rateAt = (block: number) => (block >= chain.first ? chain.referenceAt(block) : 0n)
  const known = new Map([[slotOf(referencePool), rateAt]])
  for (const token of chain.traded()) {
    const first = BigInt(slotOf(token.poolId))
    const since = (value: bigint) => (block: number) => (block >= token.block ? value : 0n)
    known.set(slotOf(token.poolId), (block) =>
      block >= token.block ? chain.standingOf(token, block).sqrtPriceX96 : 0n,
    )
    for (const tick of [-TICK, TICK]) {
      const place = tick / sketchPoolKey(token).tickSpacing
      const bitmap = concat([
        numberToHex(place >> 8, { size: 32, signed: true }),
        numberToHex(first + 5n, { size: 32 }),
      ])
      known.set(keccak256(bitmap), since(1n << BigInt(place & 255)))
    }
    const position = keccak256(
      encodePacked(
        ['address', 'int24', 'int24', 'bytes32'],
        [token.hook, -TICK, TICK, pad('0x', { size: 32 })],
      ),
    )
    known.set(keccak256(concat([position, numberToHex(first + 6n, { size: 32 })])), since(token.liquidity))
  }
  return (slot, block) => known.get(slot)?.(block) ?? 0n
}
