import {
  BaseError,
  compactSignatureToSignature,
  createPublicClient,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  hashMessage,
  http,
  isErc6492Signature,
  parseAbi,
  parseCompactSignature,
  RpcRequestError,
  recoverAddress,
  serializeSignature,
  size,
  zeroAddress,
} from 'viem'
import type { Address } from '../market/segment.ts'
import { RefusedError } from './refusal.ts'

/** A message (EIP-191), and who is said to have signed it. */
export type SignedMessage = { readonly address: Address; readonly message: string; readonly signature: Hex }

/** Whether a wallet signed a message. `mayAskChain` is called before the chain is asked; false: too often just now. */
export type SignatureCheck = (signed: SignedMessage, mayAskChain: () => Promise<boolean>) => Promise<boolean>

/** Endpoints that must agree; where fewer are configured, all of them. */
const QUORUM = 2
const TIMEOUT_MS = 5_000

/**
 * A key's own signature is checked without asking anybody; a contract's (EIP-1271), and one of a contract that is not deployed
 * yet (ERC-6492), holds if two endpoints of the stage say so, for either may lie. Throws RefusedError: CHAIN_UNREACHABLE if
 * too few answer, TOO_MANY_CHECKS.
 */
export function openSignatureCheck(urls: readonly string[]): SignatureCheck {
  const endpoints = urls.filter((url) => /^https?:/i.test(url)).map(openEndpoint)
  return async ({ address, message, signature }, mayAskChain) => {
    // ecrecover answers it for anything that is not a signature, so everybody could sign for it.
    if (address === zeroAddress) return false
    const hash = hashMessage(message)
    if (await isRecovered({ address, hash, signature })) return true
    if (!(await mayAskChain())) throw new RefusedError('TOO_MANY_CHECKS')
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
  try {
    const recovered = await recoverAddress({ hash, signature: ofFullLength(signature) })
    return recovered.toLowerCase() === address.toLowerCase()
  } catch {
    // What cannot be recovered may still be a contract's.
    return false
  }
}

const COMPACT_BYTES = 64

const ofFullLength = (signature: Hex): Hex =>
  size(signature) === COMPACT_BYTES
    ? serializeSignature(compactSignatureToSignature(parseCompactSignature(signature)))
    : signature

const erc1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** It answers this for yes, in a word. */
const VALID = /^0x1626ba7e0{56}$/i

/**
 * Asks one endpoint: a contract that is there by EIP-1271, else the validator of ERC-6492, which runs in a call without being
 * deployed. An address without code can only have signed with the ending of ERC-6492. null: it did not answer.
 */
function openEndpoint(url: string): (signed: SignedHash) => Promise<boolean | null> {
  const client = createPublicClient({ transport: http(url, { timeout: TIMEOUT_MS, retryCount: 0 }) })
  const call = (asked: { readonly to?: Address; readonly data: Hex }) =>
    client.request({ method: 'eth_call', params: [asked, 'latest'] })
  return async ({ address, hash, signature }) => {
    try {
      if (isErc6492Signature(signature)) {
        const validator = {
          abi: erc6492SignatureValidatorAbi,
          args: [address, hash, signature],
          bytecode: erc6492SignatureValidatorByteCode,
        } as const
        return /^0x0*1$/.test(await call({ data: encodeDeployData(validator) }))
      }
      const code = await client.request({ method: 'eth_getCode', params: [address, 'latest'] })
      if (code === '0x') return false
      const data = encodeFunctionData({ abi: erc1271, args: [hash, signature] })
      return VALID.test(await call({ to: address, data }))
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
