/** Wallets of the browser, and signing in with one. */
import type { Challenge } from '../../../schemas/api/account.ts'
import { askAccount } from './account-ask.ts'

/** A wallet (EIP-1193). */
export type WalletProvider = {
  request(asked: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
}

/** A wallet and its name, which is the wallet's own text. */
export type NamedWallet = { readonly name: string; readonly provider: WalletProvider }

/** The event by which a wallet announces itself (EIP-6963). */
type Announcement = CustomEvent<{
  readonly info: { readonly uuid: string; readonly name: string }
  readonly provider: WalletProvider
}>

/** Calls back with the wallets that are there, now and each time that one announces itself. */
export function onWallets(listener: (wallets: readonly NamedWallet[]) => void): void {
  const announced = new Map<string, NamedWallet>()
  const tell = () => {
    const { ethereum } = window as { readonly ethereum?: WalletProvider }
    const found = [...announced.values()]
    // An older wallet, which announces nothing.
    const isOther = ethereum !== undefined && found.length === 0
    listener(isOther ? [{ name: 'your wallet', provider: ethereum }] : found)
  }
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as Announcement).detail
    announced.set(info.uuid, { name: info.name, provider })
    tell()
  })
  tell()
  window.dispatchEvent(new Event('eip6963:requestProvider'))
}

/** Asks for the message, lets the wallet sign it, and begins the session. Throws what each of these throws. */
export async function signInWith(wallet: WalletProvider): Promise<void> {
  const [address] = (await wallet.request({ method: 'eth_requestAccounts' })) as readonly string[]
  const { message } = await askAccount<Challenge>('POST', 'challenge', { address })
  const signature = await wallet.request({ method: 'personal_sign', params: [hexOf(message), address] })
  await askAccount('POST', 'session', { message, signature })
}

const hexOf = (text: string): string =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
