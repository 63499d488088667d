import { describe, expect, it } from 'vitest'
import { removals } from './guards.ts'
import { faultOfTrial } from './trial.ts'

const TRIALS = 1_000
/** A trial that the protocol fails without the guard comes within so many; most fail at once. */
const TRIALS_WITHOUT_GUARD = 150

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

/** `npm run model -- 100000` tries more. */
describe('the protocol of the log and the feed', () => {
  it.each(range(0, 10))('holds in every trial: part %i', async (part) => {
    const size = TRIALS / 10
    for (const seed of range(part * size, (part + 1) * size)) {
      expect(await faultOfTrial(seed), `seed ${seed}`).toBeUndefined()
    }
  })

  it('does the same again for the same seed', async () => {
    const run = async () => {
      const puts: string[] = []
      await faultOfTrial(5, {
        table: (table) => ({
          ...table,
          put: (item, condition) => {
            puts.push(`${item.pk}/${item.sk} ${item['pos']}`)
            return table.put(item, condition)
          },
        }),
      })
      return puts
    }
    expect(await run()).toEqual(await run())
  })

  it.each(Object.entries(removals))('breaks where %s', async (_name, removal) => {
    let fault: string | undefined
    for (let seed = 0; !fault && seed < TRIALS_WITHOUT_GUARD; seed++)
      fault = await faultOfTrial(seed, removal)
    expect(fault).toBeDefined()
  })
})
