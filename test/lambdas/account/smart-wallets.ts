/** Wallets that are contracts (EIP-1271), assembled by hand, on an anvil of their own. */
import { type Address, concatHex, getCreate2Address, type Hex, padHex, serializeErc6492Signature } from 'viem'
import { startAnvil } from '../../../dev/devnet/anvil.ts'

/** What isValidSignature answers for yes (EIP-1271). */
const YES = '1626ba7e'

/** Yes to everything: MSTORE(0, YES << 224), RETURN(0, 32). */
const gullibleCode: Hex = `0x63${YES}60e01b60005260206000f3`

/** Creations that make nothing: REVERT(0, 0); and JUMPDEST, JUMP(0) until the gas is used up. */
const failing: Hex = '0x60006000fd'
const endless: Hex = '0x5b600056'

/**
 * Yes to a hash that its owner signed: ecrecover(hash, v, r, s) of the arguments, in memory from 0 on; whether the result in
 * memory at 0x80 is the owner's address, times YES << 224.
 */
const ownedCode = (owner: Address): Hex =>
  concatHex([
    '0x60043560005260a43560f81c60205260643560405260843560605260206080608060006001',
    '0x5afa50608051',
    '0x73',
    owner,
    `0x1463${YES}0260e01b60005260206000f3`,
  ])

/** Code that returns a contract's code: CODECOPY and RETURN of all that follows these twelve bytes. */
function creationOf(code: Hex): Hex {
  const length = padHex(`0x${(code.length / 2 - 1).toString(16)}`, { size: 1 })
  return concatHex(['0x60', length, '0x600c60003960', length, '0x6000f3', code])
}

/** The factory that anvil has at this address: 32 bytes of salt, and the creation (CREATE2). */
const FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SALT = padHex('0x01', { size: 32 })

/** A contract's address before and after it is deployed. */
const addressOf = (code: Hex): Address =>
  getCreate2Address({ from: FACTORY, salt: SALT, bytecode: creationOf(code) })

/** Starts anvil with a contract that says yes to everything; `deploy` puts an owner's wallet on the chain. */
export async function startSmartWallets() {
  const anvil = await startAnvil({ genesisTimestamp: 1_800_000_000, onExit: () => undefined })
  const [sender] = (await anvil.request('eth_accounts')) as readonly Address[]
  const create = (code: Hex) =>
    anvil.request('eth_sendTransaction', [
      { from: sender, to: FACTORY, data: concatHex([SALT, creationOf(code)]) },
    ])
  await create(gullibleCode)
  await anvil.request('anvil_mine')
  return {
    url: anvil.rpcUrl,
    gullible: addressOf(gullibleCode),
    of: (owner: Address) => addressOf(ownedCode(owner)),
    async deploy(owner: Address): Promise<void> {
      await create(ownedCode(owner))
      await anvil.request('anvil_mine')
    },
    /** A signature of a wallet that is not deployed yet (ERC-6492). `creation`: by default, of the owner's wallet. */
    undeployed: (owner: Address, signature: Hex, creation = creationOf(ownedCode(owner))): Hex =>
      serializeErc6492Signature({ address: FACTORY, data: concatHex([SALT, creation]), signature }),
    creations: { gullible: creationOf(gullibleCode), failing, endless },
    stop: () => anvil.stop(),
  }
}

export type SmartWallets = Awaited<ReturnType<typeof startSmartWallets>>
