import {
  BaseError,
  createPublicClient,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  hashMessage,
  http,
  isErc6492Signature,
  RpcRequestError,
  recoverAddress,
  zeroAddress,
} from 'viem'
import type { Address } from '../market/segment.ts'
import { RefusedError } from './refusal.ts'

/** A message (EIP-191), and who is said to have signed it. */
export type SignedMessage = { readonly address: Address; readonly message: string; readonly signature: Hex }

/**
 * Whether a wallet signed a message. `onCall` is called before the chain is asked, which costs the operator: it throws to
 * prevent that.
 */
export type SignatureCheck = (signed: SignedMessage, onCall: () => Promise<void>) => Promise<boolean>

/** Endpoints that must agree; where fewer are configured, all of them. */
const QUORUM = 2
const TIMEOUT_MS = 5_000

/**
 * An account's own signature is checked without asking anybody; a contract's (EIP-1271), and one of a contract that is not
 * deployed yet (ERC-6492), is valid if two endpoints of the stage say so, for either may lie. A signature that is not the
 * account's own, of an address without code, is refused without a call of a contract. Throws RefusedError: CHAIN_UNREACHABLE
 * if too few endpoints answer.
 */
export function openSignatureCheck(urls: readonly string[]): SignatureCheck {
  const endpoints = urls.filter((url) => /^https?:/i.test(url)).map(openEndpoint)
  return async ({ address, message, signature }, onCall) => {
    // ecrecover answers it for whatever is no signature, so everybody could sign for it.
    if (address === zeroAddress) return false
    const hash = hashMessage(message)
    if (await isRecovered({ address, hash, signature })) return true
    await onCall()
    const isUndeployed = isErc6492Signature(signature)
    let agreeing = 0
    for (const { hasCode, isValid } of endpoints) {
      if (!isUndeployed && (await hasCode(address)) === false) return false
      const verdict = await isValid({ address, hash, signature })
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

type Endpoint = {
  /** null: it did not answer. */
  readonly hasCode: (address: Address) => Promise<boolean | null>
  /** By the validator of ERC-6492, which runs in a call without being deployed and asks contracts by EIP-1271. null: likewise. */
  readonly isValid: (signed: SignedHash) => Promise<boolean | null>
}

function openEndpoint(url: string): Endpoint {
  const client = createPublicClient({ transport: http(url, { timeout: TIMEOUT_MS, retryCount: 0 }) })
  return {
    async hasCode(address) {
      const params: [Address, 'latest'] = [address, 'latest']
      const code = await client.request({ method: 'eth_getCode', params }).catch(() => null)
      return code === null ? null : /^0x.*[1-9a-f]/i.test(code)
    },
    async isValid({ address, hash, signature }) {
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
    },
  }
}

/** Whether the call itself failed, rather than the endpoint: then the signature has no form that the wallet knows. */
function isRevert(error: unknown): boolean {
  const cause = error instanceof BaseError && error.walk((each) => each instanceof RpcRequestError)
  return cause instanceof RpcRequestError && (cause.code === 3 || /revert/i.test(cause.details))
}
