/** A wallet in the page, for the development chain alone: anybody knows its key. */
import { privateKeyToAccount } from 'viem/accounts'
import type { WalletProvider } from './wallets.ts'

/** anvil's second account, as every installation of it has; it holds nothing anywhere else. */
const KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'

export const demoWallet: WalletProvider = {
  async request({ method, params = [] }) {
    const account = privateKeyToAccount(KEY)
    if (method !== 'personal_sign') return [account.address]
    return account.signMessage({ message: { raw: params[0] as `0x${string}` } })
  },
}
