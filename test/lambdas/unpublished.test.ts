import { expect, it, vi } from 'vitest'

it('the answer before the first snapshot says how far it is, where that is known', async () => {
  // Of a process that has told nothing yet.
  vi.resetModules()
  const { unpublished } = await import('../../lambdas/api/stored-lists.ts')
  const { tellProgress } = await import('../../store/aws/progress.ts')
  expect(unpublished().message).toBe('The first snapshot is not published yet.')
  tellProgress('building the first snapshot', 151, 250)
  expect(unpublished().message).toBe(
    'The first snapshot is not published yet: building the first snapshot, 60 %.',
  )
})
