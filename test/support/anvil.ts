/** A real chain for a test: anvil, with a contract at any address that emits the log it is told to. */
import { openRpc, type Rpc } from '../../ingest/rpc.ts'
import { startAnvil } from '../../local/devnet/anvil.ts'
import { type Emitted, encode } from './mock-chain.ts'

export type EmittingAnvil = {
  readonly url: string
  readonly rpc: Rpc
  /** One block, of this time (Unix seconds), with a transaction for each event. */
  mine(timestamp: number, emitted?: readonly Emitted[]): Promise<void>
  stop(): Promise<void>
}

/**
 * Emits a log of the call data: a word with the number of topics, four words of topics, and the data.
 * topics 4 to 1 · size = CALLDATASIZE - 160 · CALLDATACOPY(0, 160, size) · jump to LOG0…LOG4 at 34 + 3 × topics
 */
const emitter = `0x608035606035604035602035${'60a03603'}${'8060a0600037'}${'6000'}${'60003560030260220156'}${[0, 1, 2, 3, 4].map((topics) => `5ba${topics}00`).join('')}`

// The first account that anvil unlocks.
const sender = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

export const startEmittingAnvil = async (genesis: number): Promise<EmittingAnvil> => {
  const { rpcUrl: url, stop } = await startAnvil({ genesisTimestamp: genesis, onExit: () => {} })
  const rpc = openRpc([url])
  let nonce = 0
  return {
    url,
    rpc,
    mine: async (timestamp, emitted = []) => {
      const contracts = [...new Set(emitted.map(({ from }) => from))]
      await rpc.batch(contracts.map((at) => ({ method: 'anvil_setCode', params: [at, emitter] })))
      for (const one of emitted) {
        await rpc.request('eth_sendTransaction', [
          {
            from: sender,
            to: one.from,
            data: callFor(one),
            nonce: `0x${nonce.toString(16)}`,
            gas: '0x186a0',
          },
        ])
        nonce += 1
      }
      await rpc.request('evm_setNextBlockTimestamp', [timestamp])
      await rpc.request('evm_mine', [])
    },
    stop,
  }
}

const callFor = ({ event, args }: Emitted): string => {
  const { topics, data } = encode(event, args)
  const words = [`${topics.length}`.padStart(64, '0'), ...topics.map((topic) => topic.slice(2))]
  return `0x${words.join('').padEnd(5 * 64, '0')}${data.slice(2)}`
}
