/** Contract state as of a block: many view functions in one eth_call. */
import {
  type Abi,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionParameters,
  type ContractFunctionReturnType,
  createClient,
  custom,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  parseAbi,
} from 'viem'
import { multicall } from 'viem/actions'
import type { Address, Hash } from '../../market/segment.ts'
import { chunked } from '../../store/aws/parallel.ts'
import { IngestError, RpcUnavailableError, StateAnswerTooLargeError } from './faults.ts'
import { quantity } from './headers.ts'
import type { Rpc } from './rpc.ts'

type ViewName<A extends Abi> = ContractFunctionName<A, 'view'>

/** A view function to call, and its contracts and arguments. */
export type ViewCall<A extends Abi, N extends ViewName<A>> = {
  readonly address: Address
  readonly args: ContractFunctionArgs<A, 'view', N>
}

/**
 * Calls in one eth_call, which runs as contract creation code: input is limited to 49,152 bytes (EIP-3860), output to
 * 24,576 (EIP-170). Larger batches are split in halves.
 */
const CALLS_AT_ONCE = 100

/**
 * The results of one function at many contracts after a block; undefined if it fails, does not exist or returns too
 * much. Needs no contract of its own on chain. Throws IngestError, StateUnavailableError if the endpoint no longer has
 * the state.
 */
export async function viewsAt<const A extends Abi, N extends ViewName<A>>(
  source: StateSource,
  view: { readonly abi: A; readonly functionName: N },
  asked: readonly ViewCall<A, N>[],
): Promise<readonly (ContractFunctionReturnType<A, 'view', N> | undefined)[]> {
  if (asked.length === 0) return []
  if (asked.length <= CALLS_AT_ONCE) {
    try {
      return await viewsAtOnce(source, view, asked)
    } catch (fault) {
      if (!(fault instanceof StateAnswerTooLargeError)) throw fault
      if (asked.length === 1) return [undefined]
    }
  }
  const half = Math.ceil(asked.length / 2)
  return [
    ...(await viewsAt(source, view, asked.slice(0, half))),
    ...(await viewsAt(source, view, asked.slice(half))),
  ]
}

async function viewsAtOnce<const A extends Abi, N extends ViewName<A>>(
  { rpc, block }: StateSource,
  { abi, functionName }: { readonly abi: A; readonly functionName: N },
  asked: readonly ViewCall<A, N>[],
): Promise<readonly (ContractFunctionReturnType<A, 'view', N> | undefined)[]> {
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const answer = await rpc.request(method, Array.isArray(params) ? params : [])
    // An array is an offset, its length, and its words. An endpoint that has none is not a contract that fails.
    if (wordsIn(answer)[1] !== BigInt(asked.length))
      throw new RpcUnavailableError(rpc.endpoint.name, `${method}: not as many results as were asked for`)
    return answer
  }
  const client = createClient({ transport: custom({ request }, { retryCount: 0 }) })
  const contracts: ContractFunctionParameters[] = asked.map(({ address, args }) => ({
    address,
    abi,
    functionName,
    args: args as readonly unknown[],
  }))
  const found = await multicall(client, {
    contracts,
    deployless: true,
    batchSize: 0,
    blockNumber: BigInt(block),
  })
  return found.map((one) => {
    assertAsked(one.error)
    return one.result as ContractFunctionReturnType<A, 'view', N> | undefined
  })
}

/** The endpoint, and the block after which the state is read. */
export type StateSource = { readonly rpc: Rpc; readonly block: number }

/** A failing function affects only its own result; a fault of the endpoint fails all. */
function assertAsked(error: unknown): void {
  if (!(error instanceof BaseError)) return
  const fault = error.walk((cause) => cause instanceof IngestError)
  if (fault) throw fault
}

/** Uniswap v4-core, IExtsload. StateLibrary: pools are at slot 6, a pool's first word is its slot0. */
export const extsload = parseAbi(['function extsload(bytes32[] slots) view returns (bytes32[] values)'])
const POOLS_SLOT = 6n

/** Storage slot of a pool's slot0 in the PoolManager. */
export const slotOf = (poolId: Hash): Hash =>
  keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [poolId, POOLS_SLOT]))

/** Slots per eth_call. */
const SLOTS_AT_ONCE = 1_000

/** Words of the PoolManager's storage after a block; undefined where it does not exist yet. Throws IngestError. */
export async function slotsAt(
  { rpc, block }: StateSource,
  poolManager: Address,
  slots: readonly Hash[],
): Promise<readonly (bigint | undefined)[]> {
  const words: (bigint | undefined)[] = []
  for (const some of chunked(slots, SLOTS_AT_ONCE)) {
    const call = { to: poolManager, data: encodeFunctionData({ abi: extsload, args: [some] }) }
    const answer = await rpc.request('eth_call', [call, quantity(block)])
    // An array is an offset, its length, and its words.
    const found = answer === '0x' ? some.map(() => undefined) : wordsIn(answer).slice(2)
    if (found.length !== some.length)
      throw new RpcUnavailableError(rpc.endpoint.name, 'eth_call: not as many words as were asked for')
    words.push(...found)
  }
  return words
}

/** The words of 32 bytes in an answer. */
export const wordsIn = (answer: unknown): readonly bigint[] =>
  (
    String(answer)
      .slice(2)
      .match(/[0-9a-f]{64}/gi) ?? []
  ).map((word) => BigInt(`0x${word}`))
