/** A devnet in a process of its own, to be killed: `devnet-child.ts <data dir>`. Prints its URL, then the hash of each block it mines. */
import { startQuietDevnet } from '../support/chain/quiet-devnet.ts'

const history = { blocks: 6, days: 0.5, trades: 12, creators: 3, posts: 3 }
const devnet = await startQuietDevnet({ dataDir: process.argv[2]!, seed: 3, history })
process.stdout.write(`${devnet.rpcUrl}\n`)
for (;;) {
  const token = devnet.tokens('post')[0]!
  await devnet.buy({ token: token.address, wallet: devnet.wallets[devnet.head().number % 50]!, usd: 5 })
  process.stdout.write(`${devnet.head().number} ${devnet.head().hash}\n`)
}
