import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Anvil, AnvilCallError, startAnvil } from '../../dev/devnet/anvil.ts'
import type { Devnet, DevnetOptions } from '../../dev/devnet/chain.ts'
import { type JournalBlock, openJournal } from '../../dev/devnet/journal.ts'
import { openMiner, remine } from '../../dev/devnet/miner.ts'
import { publicMethodsOf } from '../../dev/devnet/public-methods.ts'
import { startPublicRpc } from '../../dev/devnet/rpc-servers.ts'
import type { Address } from '../../market/segment.ts'
import { readRawHeaders, rpc } from '../support/chain/json-rpc.ts'
import { startQuietDevnet } from '../support/chain/quiet-devnet.ts'
import { isLong, isWhole, rounds } from '../support/rounds.ts'
import { tempDir } from '../support/temp-dir.ts'

const history = { blocks: 6, days: 0.5, trades: 12, creators: 3, posts: 3 }
let dataDir: string
let path: string
const running: Devnet[] = []
/** The journal of one chain, and the hashes of its blocks. */
let made: { readonly journal: string; readonly kept: readonly string[] }

beforeAll(async () => {
  dataDir = tempDir()
  const devnet = await start()
  const kept = await hashes(devnet)
  await stopped(devnet)
  made = { journal: readFileSync(join(dataDir, 'chain.jsonl'), 'utf8'), kept }
})
beforeEach(() => {
  dataDir = tempDir()
  path = join(dataDir, 'chain.jsonl')
})
afterEach(async () => {
  for (const devnet of running.splice(0)) await devnet.stop()
})

async function start(options: Partial<DevnetOptions> = {}): Promise<Devnet> {
  const devnet = await startQuietDevnet({ dataDir, seed: 3, history, ...options })
  running.push(devnet)
  return devnet
}

/** Starts that chain from its journal, changed by `change`. */
async function startKept(options: Partial<DevnetOptions> = {}, change = (journal: string) => journal) {
  writeFileSync(path, change(made.journal))
  return start(options)
}

async function stopped(devnet: Devnet): Promise<void> {
  running.splice(running.indexOf(devnet), 1)
  await devnet.stop()
}

const hashes = async (devnet: Devnet): Promise<string[]> =>
  (await readRawHeaders(devnet.rpcUrl)).map(({ hash }) => hash)

test('a devnet whose process is killed ends anvil too, and has the same blocks after a restart; one whose anvil is killed says so', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/local/devnet-child.ts', dataDir])
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  while (output.split('\n').length < 15) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGKILL')
  const [rpcUrl, ...lines] = output.split('\n').slice(0, -1)
  await expect.poll(() => rpc(rpcUrl!, 'eth_chainId', []).catch(() => 'gone')).toBe('gone')

  const ends: Error[] = []
  const again = await start({ onExit: (error) => ends.push(error) })
  const all = await hashes(again)
  for (const line of lines) {
    const [number, hash] = line.split(' ')
    expect(all[Number(number)]).toBe(hash)
  }
  const before = again.head().number
  await again.launchCreator({ name: 'After', symbol: 'after' })
  expect(again.head().number).toBe(before + 1)
  const ours = `^[^ ]*bin/anvil .*--port ${new URL(again.rpcUrl).port} `
  for (const pid of String(execFileSync('pgrep', ['-f', ours]))
    .trim()
    .split('\n'))
    process.kill(Number(pid), 'SIGKILL')
  await expect.poll(() => ends.length).toBe(1)
  expect(ends[0]?.message).toMatch(/^anvil ended with status 137/)
})

/** The market's own reorg: what was in the blocks is gone, and other blocks come. */
async function replaceBlocks(chain: Devnet): Promise<void> {
  const token = chain.tokens('creator')[0]!
  await chain.buy({ token: token.address, wallet: chain.wallets[1]!, usd: 10 })
  const base = chain.head().number
  const balances = () => Promise.all(chain.wallets.map((wallet) => chain.balanceOf(token.address, wallet)))
  const held = await balances()
  const old = (await chain.mineBlock()).hash
  await chain.launchPost({ name: 'Dropped', symbol: 'DROP', quote: token.address })
  const newcomer = chain.wallets[held.indexOf(0n)]!
  await chain.buy({ token: token.address, wallet: newcomer, usd: 10 })
  await chain.rollback(3)
  expect(chain.head().number).toBe(base)
  expect(await balances()).toEqual(held)
  expect(chain.tokens().some(({ symbol }) => symbol === 'DROP')).toBe(false)
  await chain.buy({ token: token.address, wallet: chain.wallets[1]!, usd: 20 })
  expect((await hashes(chain))[base + 1]).not.toBe(old)
}

test('a block that anvil refuses, or whose receipts it does not give, leaves a journal of the blocks that there are', async () => {
  const header = { genesis: 1_800_000_000, seed: 1, contracts: '0x' } as const
  const options = { genesisTimestamp: header.genesis, onExit: () => undefined }
  const [anvil, again] = [await startAnvil(options), await startAnvil(options)]
  const refused = new Set<string>()
  const refuse = (method: string) => {
    if (refused.delete(method)) throw new AnvilCallError(method, 'refused')
  }
  const request: Anvil['request'] = async (method, params) => {
    refuse(method)
    return anvil.request(method, params)
  }
  const batch: Anvil['batch'] = async (calls) => {
    for (const { method } of calls) refuse(method)
    return anvil.batch(calls)
  }
  const journal = openJournal(path, header)
  const miner = await openMiner({ ...anvil, request, batch }, journal)
  const [wallet] = (await anvil.request('eth_accounts')) as [Address]
  const mine = (at: number) => miner.mine(header.genesis + at, [{ from: wallet, to: wallet, data: '0x' }])
  await mine(60)
  for (const [at, method] of ['evm_mine', 'eth_getBlockReceipts'].entries()) {
    refused.add(method)
    await expect(mine(120 + 120 * at)).rejects.toThrow(`${method}: refused`)
    await mine(180 + 120 * at)
  }
  const blocks = journal.blocks()
  expect([blocks.length, miner.head().number]).toEqual([4, 4])
  expect(await remine(again, blocks)).toBe(4)
  expect((await readRawHeaders(again.rpcUrl)).at(-1)?.hash).toBe(miner.head().hash)
  journal.close()
  await anvil.stop()
  await again.stop()
})

/** Others send and mine through the public address, which refuses what a journal cannot repeat. */
async function othersMine(chain: Devnet, url: string): Promise<void> {
  const [from, to] = chain.wallets
  const refused = ['anvil_setBalance', 'anvil_setCode', 'evm_increaseTime', 'eth_sendUnsignedTransaction']
  for (const method of refused) await expect(rpc(url, method, [])).rejects.toThrow('not available here')
  const send = () =>
    rpc(url, 'eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208', gasPrice: '0x1' }])
  const before = chain.head().number
  await rpc(url, 'evm_mine', [])
  await send()
  await rpc(url, 'anvil_mine', ['0x3'])
  await send()
  await send()
  const { failed } = await chain.buy({ token: chain.tokens()[0]!.address, wallet: from!, usd: 10 })
  expect(failed).toEqual([])
  // A block far ahead of ours, and a transaction that waits behind it.
  await rpc(url, 'evm_mine', [{ timestamp: chain.head().timestamp + 100 }])
  await send()
  await chain.mineBlock()
  expect(await rpc(url, 'eth_blockNumber', [])).toBe(`0x${chain.head().number.toString(16)}`)
  // Transactions of others have a block of their own before ours.
  expect(chain.head().number).toBe(before + 10)
}

/** Others make reorgs through the public address, and trades go on. */
async function othersReplaceBlocks(chain: Devnet, url: string): Promise<void> {
  await chain.mineBlock()
  await chain.launchCreator({ name: 'Dropped', symbol: 'DROP' })
  const { number, hash } = await chain.mineBlock()
  for (const parameters of [
    [0, []],
    [2, [['0x', 1]]],
    [number, []],
    ['two', []],
  ])
    await expect(rpc(url, 'anvil_reorg', parameters)).rejects.toThrow(/no integer|no transactions/)
  await rpc(url, 'anvil_reorg', [2, []])
  expect(chain.head().number).toBe(number)
  expect(chain.head().hash).not.toBe(hash)
  await rpc(url, 'anvil_rollback', [1])
  await chain.mineBlock()
  expect(chain.head().number).toBe(number)
  expect(chain.tokens().some(({ symbol }) => symbol === 'DROP')).toBe(false)
  const again = await chain.launchCreator({ name: 'Again', symbol: 'again' })
  await chain.buy({ token: again.address, wallet: chain.wallets[1]!, usd: 10 })
}

describe('the journal', () => {
  test('reproduces the same hashes at every start, also with an incomplete last line', async () => {
    const second = await startKept({}, (journal) => `${journal}{"parent":"0x12`)
    expect(await hashes(second)).toEqual(made.kept)
    await second.buy({ token: second.tokens()[0]!.address, wallet: second.wallets[5]!, usd: 10 })
    const longer = await hashes(second)
    await stopped(second)
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
    expect(lines.map((line) => JSON.parse(line))).toHaveLength(longer.length)
    const third = await start()
    expect(await hashes(third)).toEqual(longer)
    expect(third.failures()).toBe(0)
  })

  test.runIf(isWhole)(
    'is cut before a block that is replayed differently, and the chain continues from there',
    async () => {
      const { kept } = made
      const lines = made.journal.split('\n')
      const block = JSON.parse(lines[3]!) as JournalBlock
      lines[3] = JSON.stringify({ ...block, timestamp: block.timestamp + 1 })
      const said: string[] = []
      const options = { report: (text: string) => said.push(text), history: { ...history, blocks: 2 } }
      const second = await startKept(options, () => lines.join('\n'))
      expect(said).toContainEqual(
        expect.stringContaining(`block 3 of ${kept.length - 1} cannot be made again`),
      )
      expect((await hashes(second)).slice(0, 3)).toEqual(kept.slice(0, 3))
      expect(readFileSync(`${path}.unreplayable`, 'utf8')).toBe(lines.join('\n'))
      await second.mineBlock()
      const longer = await hashes(second)
      await stopped(second)
      expect(await hashes(await start({ now: () => second.head().timestamp * 1_000 }))).toEqual(longer)
    },
  )

  test.runIf(isWhole)('is cut before a line that is not JSON', async () => {
    const lines = made.journal.split('\n')
    lines[4] = lines[4]!.slice(5)
    const second = await startKept({ history: { ...history, blocks: 2 } }, () => lines.join('\n'))
    expect((await hashes(second)).slice(0, 4)).toEqual(made.kept.slice(0, 4))
  })

  test('is refused by name if it is empty or another file', async () => {
    for (const text of ['', '{}\n', 'PNG\u0000', '{"genesis":"x"}\n', '[1]\n'])
      await expect(startKept({}, () => text)).rejects.toThrow(
        `${path} cannot be replayed: it does not begin like the journal of a chain; start with --reset`,
      )
  })

  test('is refused if it was made with other contracts', async () => {
    const [header, ...blocks] = made.journal.split('\n')
    const other = { ...JSON.parse(header!), contracts: '0x00' }
    const changed = startKept({}, () => [JSON.stringify(other), ...blocks].join('\n'))
    await expect(changed).rejects.toThrow('other contracts')
  })

  test('replays reorgs, what others send and mine through the public address, and the reorgs that they make', async () => {
    const first = await startKept()
    await replaceBlocks(first)
    const { url, stop } = await startPublicRpc(first, publicMethodsOf(first))
    await othersMine(first, url)
    await othersReplaceBlocks(first, url)
    expect(first.failures()).toBe(0)
    const kept = await hashes(first)
    await stop()
    await stopped(first)
    const second = await start()
    expect(await hashes(second)).toEqual(kept)
    await second.buy({ token: first.tokens()[0]!.address, wallet: first.wallets[0]!, usd: 10 })
    expect(second.failures()).toBe(0)
  })

  test.runIf(isWhole)('is continued with trades after a pause of more than an hour', async () => {
    const first = await startKept()
    const { number, timestamp } = first.head()
    await stopped(first)
    const soon = await start({ now: () => (timestamp + 3_000) * 1_000 })
    expect(soon.head().number).toBe(number)
    await stopped(soon)
    const later = await start({ now: () => (timestamp + 7_200) * 1_000 })
    expect(later.head().number).toBeGreaterThan(number + 3)
    expect(later.head().timestamp).toBe(timestamp + 7_200)
    expect(later.failures()).toBe(0)
  })
})

describe('a chain with several blocks a second', () => {
  const empties = rounds(300, 2_000)

  test.runIf(isWhole)(
    'is replayed to the same hashes; its empty blocks are two bytes each in the journal',
    async () => {
      const first = await startKept({ blockMs: 200 })
      const before = { size: readFileSync(path).length, number: first.head().number }
      const second = Math.ceil((first.head().timestamp + 1) / 60) * 60
      await first.turn(async ({ mine }) => {
        for (let n = 0; n < empties; n += 1) await mine(second + Math.floor(n / 5), [])
      })
      expect(first.head()).toMatchObject({
        number: before.number + empties,
        timestamp: second + empties / 5 - 1,
      })
      // One block a minute has a line with its parent's hash.
      const minutes = empties / 300
      expect(readFileSync(path).length - before.size).toBeLessThan(empties * 2 + minutes * 150)
      await first.buy({ token: first.tokens()[0]!.address, wallet: first.wallets[5]!, usd: 10 })
      await first.mineBlock(first.head().timestamp)
      const kept = await hashes(first)
      await stopped(first)
      const again = await start({ blockMs: 200 })
      expect(await hashes(again)).toEqual(kept)
    },
  )

  test.runIf(isWhole)(
    'is cut at the last minute that is proven, where an empty block is replayed differently',
    async () => {
      const first = await startKept()
      const second = Math.ceil((first.head().timestamp + 1) / 60) * 60
      await first.turn(async ({ mine }) => {
        for (const seconds of [0, 1, 1, 2, 60, 61]) await mine(second + seconds, [])
      })
      const kept = await hashes(first)
      const { number } = first.head()
      await stopped(first)
      const lines = readFileSync(path, 'utf8').split('\n')
      expect(lines.slice(-6, -3)).toEqual(['1', '0', '1'])
      writeFileSync(path, [...lines.slice(0, -5), '1', ...lines.slice(-4)].join('\n'))
      const again = await start({ now: () => first.head().timestamp * 1_000 })
      expect(await hashes(again)).toEqual(kept.slice(0, number - 5))
    },
  )
})

describe('a reorg', () => {
  test.runIf(isWhole)(
    'serves the old chain until the new one is complete, which its journal reproduces',
    async () => {
      const first = await startKept({ blockMs: 200 })
      const token = first.tokens('creator')[0]!
      await first.turn(async ({ mine }) => {
        for (let n = 0; n < rounds(80, 600); n += 1) await mine(first.head().timestamp + (n % 2), [])
      })
      await first.buy({ token: token.address, wallet: first.wallets[1]!, usd: 10 })
      const old = first.head()
      const { url, stop } = await startPublicRpc(first, publicMethodsOf(first))
      const newest = () =>
        rpc<{ number: string; hash: string }>(url, 'eth_getBlockByNumber', ['latest', false])
      const seen: string[] = []
      let isDone = false
      const reorg = rpc(url, 'anvil_reorg', [3, []]).finally(() => {
        isDone = true
      })
      while (!isDone) seen.push((await newest()).hash)
      await reorg
      const now = await newest()
      expect([Number(now.number), now.hash]).toEqual([old.number, first.head().hash])
      expect(now.hash).not.toBe(old.hash)
      // Nothing between the two: neither a shorter chain nor one half replayed.
      expect(new Set(seen.filter((hash) => hash !== now.hash))).toEqual(new Set([old.hash]))
      const kept = await hashes(first)
      await stop()
      await stopped(first)
      expect(await hashes(await start())).toEqual(kept)
    },
  )

  test.runIf(isWhole)('that cannot be made leaves the chain as it was', async () => {
    const first = await startKept()
    await first.mineBlock()
    const old = first.head()
    const text = readFileSync(path, 'utf8')
    const lines = text.split('\n')
    const block = JSON.parse(lines[3]!) as JournalBlock
    writeFileSync(
      path,
      lines.with(3, JSON.stringify({ ...block, timestamp: block.timestamp + 1 })).join('\n'),
    )
    await expect(first.rollback(1)).rejects.toThrow('is not the one it was')
    writeFileSync(path, text)
    expect(first.head()).toEqual(old)
    expect((await hashes(first)).at(-1)).toBe(old.hash)
    await first.mineBlock()
    const kept = await hashes(first)
    await stopped(first)
    expect(await hashes(await start())).toEqual(kept)
  })
})

describe.runIf(isWhole)('an interrupted history', () => {
  test('is completed by the next start', async () => {
    const tokens = isLong ? 8 : 5
    const past = isLong ? { blocks: 30, days: 2, trades: 30 } : { blocks: 20, days: 0.5, trades: 12 }
    const wanted = { ...past, creators: tokens, posts: tokens }
    const first = await start({ history: wanted })
    await stopped(first)
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, `${lines.slice(0, 12).join('\n')}\n`)
    const startedAt = Date.now() / 1_000
    const second = await start({ history: wanted })
    expect(second.tokens('creator').length).toBeGreaterThanOrEqual(tokens)
    expect(second.tokens('post').length).toBeGreaterThanOrEqual(tokens)
    expect(second.head().timestamp).toBeGreaterThan(startedAt - 30)
    expect(second.failures()).toBe(0)
  })
})
