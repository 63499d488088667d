/** Logs in the platform's shapes, emitted by a contract that is none of it. */
import { encodeAbiParameters, encodeEventTopics, zeroAddress } from 'viem'
import { poolIdOf } from '../../ingest/decode/pool-state.ts'
import type { Address, Hash } from '../../market/segment.ts'
import { forge } from './actions.ts'
import type { BookToken } from './book.ts'
import { abiOf, foreignAddress, zoraAddress } from './contracts.ts'
import type { TransactionDraft } from './miner.ts'

/** A log of one of our contracts' events, emitted by an untrusted contract. */
function forged(
  wallet: Address,
  [contract, eventName]: readonly ['DevFactory' | 'DevHook' | 'DevToken', string],
  args: Readonly<Record<string, unknown>>,
): TransactionDraft {
  const abi = abiOf(contract, 'event', eventName)
  const inputs = abi.flatMap((item) => (item.type === 'event' ? item.inputs : []))
  const inData = inputs.filter(({ indexed }) => !indexed)
  const data = encodeAbiParameters(
    inData,
    inData.map(({ name = '' }) => args[name]),
  )
  const topics = encodeEventTopics({ abi, eventName, args }) as readonly Hash[]
  return forge(wallet, { topics, data })
}

/** A creation that the factory never made. */
export function forgedCreation(token: BookToken, wallet: Address): TransactionDraft {
  return forged(wallet, ['DevFactory', 'CreatorCoinCreated'], {
    caller: wallet,
    payoutRecipient: wallet,
    platformReferrer: zeroAddress,
    currency: zoraAddress,
    uri: '',
    name: 'Forged',
    symbol: 'FORGED',
    coin: foreignAddress,
    poolKey: token.key,
    poolKeyHash: poolIdOf(token.key),
    version: 'forged',
  })
}

/** A trade worth a million that no hook reported. */
export function forgedSwap(token: BookToken, wallet: Address): TransactionDraft {
  const million = 10n ** 24n
  return forged(wallet, ['DevHook', 'Swapped'], {
    sender: wallet,
    swapSender: wallet,
    isTrustedSwapSenderAddress: true,
    key: token.key,
    poolKeyHash: poolIdOf(token.key),
    params: { zeroForOne: true, amountSpecified: -million, sqrtPriceLimitX96: 1n },
    amount0: -million,
    amount1: million,
    isCoinBuy: true,
    hookData: '0x',
    sqrtPriceX96: 2n ** 96n,
  })
}

/** A transfer of what is no token. */
export function forgedTransfer(wallet: Address): TransactionDraft {
  return forged(wallet, ['DevToken', 'CoinTransfer'], {
    sender: foreignAddress,
    recipient: wallet,
    amount: 1n,
    senderBalance: 0n,
    recipientBalance: 10n ** 30n,
  })
}
