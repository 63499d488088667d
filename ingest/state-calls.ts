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
  decodeFunctionResult,
  encodeFunctionData,
} from 'viem'
import { multicall } from 'viem/actions'
import type { Address, Hash } from '../market/segment.ts'
import { IngestError, RpcUnavailableError } from './faults.ts'
import { quantity } from './headers.ts'
import { extsload } from './pool-prices.ts'
import type { Rpc } from './rpc.ts'

type ViewName<A extends Abi> = ContractFunctionName<A, 'view'>

/** Which contract a function is asked of, and what for. */
export type Asked<A extends Abi, N extends ViewName<A>> = {
  readonly address: Address
  readonly args: ContractFunctionArgs<A, 'view', N>
}

/** Calls in one eth_call: more than 49,152 bytes of them are refused (EIP-3860), and no call here is longer than 256. */
const CALLS_AT_ONCE = 120

/**
 * The results of one function at many contracts after a block; undefined where it fails or is not there. Needs no contract of
 * its own on the chain. Throws IngestError, StateUnavailableError where the endpoint no longer has the state.
 */
export async function viewsAt<const A extends Abi, N extends ViewName<A>>(
  { rpc, block }: StateSource,
  { abi, functionName }: { readonly abi: A; readonly functionName: N },
  asked: readonly Asked<A, N>[],
): Promise<readonly (ContractFunctionReturnType<A, 'view', N> | undefined)[]> {
  const request = ({ method, params }: { method: string; params?: unknown }) =>
    rpc.request(method, Array.isArray(params) ? params : [])
  const client = createClient({ transport: custom({ request }, { retryCount: 0 }) })
  const results: (ContractFunctionReturnType<A, 'view', N> | undefined)[] = []
  for (let at = 0; at < asked.length; at += CALLS_AT_ONCE) {
    const contracts: ContractFunctionParameters[] = asked
      .slice(at, at + CALLS_AT_ONCE)
      .map(({ address, args }) => ({ address, args: args as readonly unknown[], abi, functionName }))
    const found = await multicall(client, {
      contracts,
      deployless: true,
      blockNumber: BigInt(block),
      batchSize: 0,
    })
    for (const one of found) {
      assertAsked(one.error)
      results.push(one.result as ContractFunctionReturnType<A, 'view', N> | undefined)
    }
  }
  return results
}

/** Whom to ask, and the block after which the state is wanted. */
export type StateSource = { readonly rpc: Rpc; readonly block: number }

/** A function that fails says so in its result; a fault of the endpoint fails all of them. */
function assertAsked(error: unknown): void {
  if (!(error instanceof BaseError)) return
  const fault = error.walk((cause) => cause instanceof IngestError)
  if (fault) throw fault
}

/** Slots in one eth_call. */
const SLOTS_AT_ONCE = 1_000

/** Words of a Uniswap v4 PoolManager's storage after a block. Throws IngestError. */
export async function slotsAt(
  { rpc, block }: StateSource,
  to: Address,
  slots: readonly Hash[],
): Promise<readonly bigint[]> {
  const words: bigint[] = []
  for (let at = 0; at < slots.length; at += SLOTS_AT_ONCE) {
    const some = slots.slice(at, at + SLOTS_AT_ONCE)
    const data = encodeFunctionData({ abi: extsload, args: [some] })
    const answer = String(await rpc.request('eth_call', [{ to, data }, quantity(block)]))
    if (!/^0x([0-9a-f]{64})+$/i.test(answer))
      throw new RpcUnavailableError(rpc.endpoint.name, 'eth_call: no words')
    const found = decodeFunctionResult({ abi: extsload, data: answer as Hash })
    if (found.length !== some.length)
      throw new RpcUnavailableError(rpc.endpoint.name, 'eth_call: words are missing')
    for (const word of found) words.push(BigInt(word))
  }
  return words
}
