/** The compiled contracts: their creation code and calls to them. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Abi,
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
} from 'viem'
import type { Address } from '../../market/segment.ts'

/** First account of anvil's default mnemonic; it deploys, mints and provides liquidity to the reference pool. */
export const deployer: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** The deterministic deployment proxy (Arachnid), which anvil has from genesis: calldata is salt and creation code. */
export const create2Deployer: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** Low 14 bits of a hook's address: afterInitialize, beforeSwap, afterSwap (Uniswap v4-core, Hooks.sol). */
export const hookFlags = 0x10c0

/** An address in lower case. */
export const lower = (address: Hex) => address.toLowerCase() as Address
const atNonce = (nonce: number) => lower(getContractAddress({ from: deployer, nonce: BigInt(nonce) }))

/**
 * Contracts created by the deployer, in the order of genesis.ts. Their addresses depend on the deployer and its nonces,
 * not on their code.
 */
export const managerAddress = atNonce(0)
/** Emits the chain's creation events. */
export const factoryAddress = atNonce(1)
/** 18 decimals; the quote of creator tokens. */
export const zoraAddress = atNonce(2)
/** 6 decimals. */
export const usdcAddress = atNonce(3)
/** Names its caller in msgSender(). */
export const routerAddress = atNonce(4)
/** Does not name its caller: the trader of its swaps is found by their transfers. */
export const anonymousRouterAddress = atNonce(5)
/** Emits forged logs. */
export const foreignAddress = atNonce(6)
/** Untrusted: names, and pays, anyone. */
export const pretendingRouterAddress = atNonce(7)
/** The order book: its swaps fill orders and are no trades. */
export const orderBookAddress = atNonce(8)
/** Untrusted: pays anyone, and names no trader. */
export const silentRouterAddress = atNonce(9)
/** The platform's: makes calls, such as launches, for whoever sends it a transaction. */
export const passThroughAddress = atNonce(10)
/** The same, a stranger's. */
export const strangersPassThroughAddress = atNonce(11)

/** The deployed contracts by name. */
export const contractNames = [
  'DevErc20',
  'DevToken',
  'DevFactory',
  'DevHook',
  'OldHook',
  'DevRouter',
  'ForeignEmitter',
  'PretendingRouter',
  'SilentRouter',
  'PassThrough',
] as const
export type ContractName = (typeof contractNames)[number]

/** A compiled contract; `bytecode` is creation code. */
export type CompiledContract = { readonly abi: Abi; readonly bytecode: Hex }

/** The versions of the hook; two of each are deployed. */
const hookNames = ['DevHook', 'OldHook'] as const
export type HookName = (typeof hookNames)[number]

/** The content of contracts.json. `hookSalts` are CREATE2 salts that give a hook an address with its permission bits. */
export type CompiledContracts = {
  readonly compiler: string
  readonly contracts: Readonly<Record<ContractName, CompiledContract>>
  readonly hookSalts: Readonly<Record<HookName, readonly Hex[]>>
}

/** The artifact as committed; `npm run build:devnet` writes it. */
export const compiledContracts = JSON.parse(
  readFileSync(new URL('./contracts.json', import.meta.url), 'utf8'),
) as CompiledContracts

/** Calldata of a function of one of the contracts. Throws viem's error if the arguments do not match. */
export function calldata(name: ContractName, functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: abiOf(name, 'function', functionName), functionName, args })
}

/** Creation code of a contract with its constructor's arguments. */
export function creationCode(name: ContractName, args: readonly unknown[]): Hex {
  const { abi, bytecode } = compiledContracts.contracts[name]
  return encodeDeployData({ abi, bytecode, args })
}

/** Creation code of Uniswap's PoolManager, from its package, since it is BUSL-1.1 and not part of this repository. */
export function poolManagerCreationCode(owner: Address): Hex {
  const artifact = createRequire(import.meta.url)('@uniswap/v4-core/out/PoolManager.sol/PoolManager.json')
  const { abi, bytecode } = artifact as { abi: Abi; bytecode: { object: Hex } }
  return encodeDeployData({ abi, bytecode: bytecode.object, args: [owner] })
}

/** Creation code of a hook with its constructor's arguments, given its bytecode. */
export function hookInitCode(bytecode: Hex): Hex {
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'address' }] as const
  return concatHex([bytecode, encodeAbiParameters(types, [managerAddress, factoryAddress, zoraAddress])])
}

/** Address of a hook by the keccak256 of its creation code and its CREATE2 salt. */
export const hookAddress = (bytecodeHash: Hex, salt: Hex): Address =>
  lower(getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecodeHash }))

/** The hooks to deploy: their salts, creation code and addresses. */
export const hooks = () =>
  hookNames.flatMap((name) => {
    const code = hookInitCode(compiledContracts.contracts[name].bytecode)
    const bytecodeHash = keccak256(code)
    return compiledContracts.hookSalts[name].map((salt) => ({
      name,
      salt,
      code,
      address: hookAddress(bytecodeHash, salt),
    }))
  })

/** Addresses of the hooks: new pools use the first, migrations the second; the old ones are for creator tokens and for posts. */
export const hookAddresses = (): readonly Address[] => hooks().map(({ address }) => address)

/** The hooks before version 2.5.0, of creator tokens and of posts: they report fee sales and filled orders as trades. */
export function oldHooks(): readonly [creators: Address, posts: Address] {
  const [creators, posts] = hooks().flatMap(({ name, address }) => (name === 'OldHook' ? [address] : []))
  if (!creators || !posts) throw new RangeError('contracts.json has no two old hooks')
  return [creators, posts]
}

const entries = new Map<string, Abi>()

/** The ABI of one function or event of a contract: viem prepares a whole ABI on every call. */
export function abiOf(contract: ContractName, type: 'function' | 'event', name: string): Abi {
  const key = `${contract}.${name}`
  const known = entries.get(key)
  if (known) return known
  const { abi } = compiledContracts.contracts[contract]
  const entry = abi.filter((item) => item.type === type && item.name === name)
  entries.set(key, entry)
  return entry
}
