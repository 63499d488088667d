import {
  BaseError,
  createPublicClient,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  hashMessage,
  http,
  RpcRequestError,
  recoverAddress,
  zeroAddress,
} from 'viem'
import type { Address } from '../market/segment.ts'
import { RefusedError } from './refusal.ts'

/** A message (EIP-191), and who is said to have signed it. */
export type SignedMessage = { readonly address: Address; readonly message: string; readonly signature: Hex }

/** Endpoints that must agree; where fewer are configured, all of them. */
const QUORUM = 2
const TIMEOUT_MS = 5_000

/**
 * Whether a wallet signed a message: an account's own signature without asking anybody; a contract's (EIP-1271), and one of a
 * contract that is not deployed yet (ERC-6492), if two endpoints of the stage say so, for either may lie. Throws RefusedError:
 * CHAIN_UNREACHABLE if too few answer.
 */
export function openSignatureCheck(urls: readonly string[]): (signed: SignedMessage) => Promise<boolean> {
  const endpoints = urls.filter((url) => /^https?:/i.test(url)).map(openEndpoint)
  return async ({ address, message, signature }) => {
    // ecrecover answers it for whatever is no signature, so everybody could sign for it.
    if (address === zeroAddress) return false
    const hash = hashMessage(message)
    if (await isRecovered({ address, hash, signature })) return true
    let agreeing = 0
    for (const isValidOnChain of endpoints) {
      const verdict = await isValidOnChain({ address, hash, signature })
      if (verdict === false) return false
      if (verdict) agreeing += 1
      if (agreeing === Math.min(QUORUM, endpoints.length)) return true
    }
    throw new RefusedError('CHAIN_UNREACHABLE')
  }
}

type SignedHash = { readonly address: Address; readonly hash: Hex; readonly signature: Hex }

/** Whether the key of an address made a signature of 65 bytes, or of 64 (EIP-2098). */
async function isRecovered({ address, hash, signature }: SignedHash): Promise<boolean> {
  if (signature.length > 2 + 2 * 65) return false
  // What cannot be recovered may still be a contract's.
  const recovered = await recoverAddress({ hash, signature }).catch(() => null)
  return recovered?.toLowerCase() === address.toLowerCase()
}

/**
 * Asks one endpoint, by the validator of ERC-6492, which runs in a call without being deployed and asks contracts by EIP-1271.
 * null: it did not answer.
 */
function openEndpoint(url: string): (signed: SignedHash) => Promise<boolean | null> {
  const client = createPublicClient({ transport: http(url, { timeout: TIMEOUT_MS, retryCount: 0 }) })
  return async ({ address, hash, signature }) => {
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      args: [address, hash, signature],
      bytecode: erc6492SignatureValidatorByteCode,
    })
    try {
      const answer = await client.request({ method: 'eth_call', params: [{ data }, 'latest'] })
      return /^0x0*1$/.test(answer)
    } catch (error) {
      return isRevert(error) ? false : null
    }
  }
}

/** Whether the call itself failed, rather than the endpoint: then the signature has no form that the wallet knows. */
function isRevert(error: unknown): boolean {
  const cause = error instanceof BaseError && error.walk((each) => each instanceof RpcRequestError)
  return cause instanceof RpcRequestError && (cause.code === 3 || /revert/i.test(cause.details))
}
