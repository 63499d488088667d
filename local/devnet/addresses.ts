/** Where the devnet's contracts stand: fixed by the deployer's account and its nonces, whatever their code. */
import { getContractAddress, type Hex } from 'viem'
import type { Address } from '../../market/segment.ts'

/** First account of anvil's default mnemonic; deploys, mints and provides the reference pool. */
export const deployer: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** The deterministic deployment proxy (Arachnid), which anvil has from genesis: calldata is salt and creation code. */
export const create2Deployer: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** Low 14 bits of a hook's address: afterInitialize, beforeSwap, afterSwap (Uniswap v4-core, Hooks.sol). */
export const hookFlags = 0x10c0

const atNonce = (nonce: number) => lowerCase(getContractAddress({ from: deployer, nonce: BigInt(nonce) }))
const lowerCase = (address: Hex) => address.toLowerCase() as Address

/** Creations of the deployer, in the order of genesis.ts. */
export const managerAddress = atNonce(0)
/** Its events are the chain's creations. */
export const factoryAddress = atNonce(1)
/** 18 decimals; what creator tokens are priced in. */
export const zoraAddress = atNonce(2)
/** 6 decimals. */
export const usdcAddress = atNonce(3)
/** Names its caller in msgSender(). */
export const routerAddress = atNonce(4)
/** Does not: the trader of its swaps is found by their transfers. */
export const anonymousRouterAddress = atNonce(5)
/** Forges logs. */
export const foreignAddress = atNonce(6)
/** Untrusted: it names, and pays, whom it likes. */
export const pretendingRouterAddress = atNonce(7)
