import { expect, it, vi } from 'vitest'
import { openIngestView } from '../../admin/base/ingest-view.ts'
import { chains } from '../../ingest/client/chains.ts'

it('a gap is reported once, however often ingest tries to close it', () => {
  const lines: string[] = []
  const { told } = openIngestView(chains.devnet, { step: () => {}, say: (line) => lines.push(line) })
  const gap = { block: 7, missing: 'logs', endpoints: ['node'], since: 0 }
  for (let tries = 0; tries < 3; tries++) told({ is: 'gap', gap })
  told({ is: 'gap closed' })
  told({ is: 'gap', gap })
  const words = 'ingest stands still at block 7: logs missing at node; it asks again'
  expect(lines).toEqual([words, 'ingest goes on: what was missing is there', words])
})

it('a long wait is reported with its cause the first time, short ones when they repeat', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  try {
    const lines: string[] = []
    const { told } = openIngestView(chains.devnet, { step: () => {}, say: (line) => lines.push(line) })
    told({ is: 'idle', head: { number: 1, hash: '0x1', timestamp: 0 } })
    const wait = (times: number, until: number, cause: string) =>
      told({ is: 'wait', wait: { for: 'refusal', endpoint: 'a.example', times, until, cause } })
    wait(1, 500, 'too often')
    wait(1, 30_000, 'a.example refused: eth_call: Attention Required! (403)')
    wait(2, 60_000, 'the same')
    wait(3, 120_000, 'the same')
    // A turn at a rate is due in a moment, and comes again and again.
    told({ is: 'wait', wait: { for: 'turn', endpoint: 'a.example', times: 4, until: 1_000, cause: 'slow' } })
    expect(lines).toEqual([
      'ingest waits for a.example until 00:00:30 UTC, time 1: a.example refused: eth_call: Attention Required! (403)',
      'ingest waits for a.example until 00:01:00 UTC, time 2: the same',
    ])
  } finally {
    vi.useRealTimers()
  }
})

it('while it reads, a wait is shown until three seconds after its end, so that a line every two seconds has it', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  try {
    let shown: string | undefined
    const step = (_text: string, _done?: number, _total?: number, note?: string) => {
      shown = note
    }
    const { told } = openIngestView(chains.devnet, { step, say: () => {} })
    told({
      is: 'wait',
      wait: { for: 'turn', endpoint: 'a.example', times: 1, until: 200, cause: 'slow down' },
    })
    const at = (ms: number) => {
      vi.setSystemTime(ms)
      told({ is: 'asked', calls: 1 })
      return shown
    }
    expect(at(3_100)).toBe('blocks; 1 calls; waits for a.example until 00:00:00 UTC, time 1: slow down')
    expect(at(3_300)).toBe('blocks; 2 calls')
  } finally {
    vi.useRealTimers()
  }
})
