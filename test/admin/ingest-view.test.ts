import { expect, it } from 'vitest'
import { openIngestView } from '../../admin/ingest-view.ts'
import { chains } from '../../ingest/chains.ts'

it('a gap is told once, however often ingest tries to close it', () => {
  const lines: string[] = []
  const { told } = openIngestView(chains.devnet, { step: () => {}, say: (line) => lines.push(line) })
  const gap = { block: 7, missing: 'logs', endpoints: ['node'], since: 0 }
  for (let tries = 0; tries < 3; tries++) told({ is: 'gap', gap })
  told({ is: 'gap closed' })
  told({ is: 'gap', gap })
  const words = 'ingest stands still at block 7: logs missing at node; it asks again'
  expect(lines).toEqual([words, 'ingest goes on: what was missing is there', words])
})
