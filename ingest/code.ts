/** Whether addresses are contracts. */
import type { Address } from '../market/segment.ts'
import { MalformedCodeError } from './faults.ts'
import type { Rpc } from './rpc.ts'

/** Calls in one batch: code is up to 24 KB an address. */
const BATCH = 50
/** The code of an account that only names another one's (EIP-7702): it is still its owner's. */
const DELEGATION = /^0xef0100[0-9a-f]{40}$/
const CODE = /^0x([0-9a-f]{2})*$/

/** Of each address, whether it has code of its own at the head. Throws IngestError: MalformedCodeError for an answer that is no code. */
export async function hasContract(
  rpc: Rpc,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, boolean>> {
  const found = new Map<Address, boolean>()
  for (let at = 0; at < addresses.length; at += BATCH) {
    const batch = addresses.slice(at, at + BATCH)
    const answers = await rpc.batch(
      batch.map((address) => ({ method: 'eth_getCode', params: [address, 'latest'] })),
    )
    for (const [index, address] of batch.entries()) found.set(address, isContract(answers[index]))
  }
  return found
}

function isContract(answer: unknown): boolean {
  const code = String(answer).toLowerCase()
  if (!CODE.test(code)) throw new MalformedCodeError()
  return code !== '0x' && !DELEGATION.test(code)
}
