import { expect, it } from 'vitest'
import { type Stage, stages } from '../../cdk/config.ts'
import { abuseRows, abuseTable, tooDear } from '../../cdk/price/abuse.ts'

const all: readonly (readonly [string, Stage])[] = Object.entries(stages)

it.each(all)('strangers cost %s at most what its settings say, on every path', (_name, stage) => {
  expect(stage.hasFirewall, 'without it there is no bound by address').toBe(true)
  expect(tooDear(stage)).toEqual([])
  expect(abuseTable(stage).split('\n')).toHaveLength(abuseRows(stage).length + 2)
})

it.each(all)('what %s raises are paths that there are, and no more than they cost', (_name, stage) => {
  const { raised, ...rest } = stage.abuse
  const dear = tooDear({ ...stage, abuse: { ...rest, raised: {} } })
  expect(Object.keys(raised).filter((path) => !dear.some((each) => each.startsWith(path)))).toEqual([])
})

it('a wider limit is found by its path', () => {
  const api = { ...stages.prod.api, strangersPerSecond: 400 }
  expect(tooDear({ ...stages.prod, api })).toContainEqual(
    expect.stringMatching(/^`\/mcp` without a key: .* in all$/),
  )
})
