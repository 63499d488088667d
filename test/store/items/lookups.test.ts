import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lookupSort } from '../../../store/aws/launch-key.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import { lookupPartitions } from '../../../store/aws/tables.ts'
import { oldestOf } from '../../../store/items/lookups.ts'
import { launchedIn, nthAddress } from '../../support/market/facts.ts'

/** A wallet's tokens by the blocks that they were launched in. */
const wallets = fc.array(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 40 }), {
  minLength: 1,
  maxLength: 6,
})

it('a look-up gives the oldest tokens of all wallets together, and reads little more than it gives', async () => {
  const property = fc.asyncProperty(
    wallets,
    fc.integer({ min: 1, max: 50 }),
    fc.integer({ min: 0, max: 70 }),
    async (launches, limit, lastBlock) => {
      const table = openMemoryTable()
      const all = launches.flatMap((blocks, wallet) =>
        blocks.map((blockNumber, at) => ({
          wallet: nthAddress(wallet),
          address: nthAddress(1_000 * (wallet + 1) + at),
          launchedAt: launchedIn({ number: blockNumber, timestamp: 0 }, at),
        })),
      )
      for (const { wallet, ...token } of all)
        await table.put(
          { pk: lookupPartitions.creator(wallet), sk: lookupSort(token), kind: 'post', theirs: true },
          'absent',
        )
      let read = 0
      const counted: Parameters<typeof oldestOf>[0] = {
        async *query(span) {
          for await (const item of table.query(span)) {
            read += 1
            yield item
          }
        },
      }
      const partitions = launches.map((_, wallet) => lookupPartitions.creator(nthAddress(wallet)))
      const found = await oldestOf(counted, partitions, { lastBlock, limit })
      const expected = all
        .filter(({ launchedAt }) => launchedAt.blockNumber <= lastBlock)
        .map((token) => ({ token: token.address, launch: lookupSort(token) }))
        .sort((a, b) => (a.launch < b.launch ? -1 : 1))
        .slice(0, limit)
      expect(found.map(({ token, launch }) => ({ token, launch }))).toEqual(expected)
      expect(read).toBeLessThanOrEqual(2 * (limit + partitions.length))
    },
  )
  await fc.assert(property, { numRuns: 100 })
})
