import { expect, it } from 'vitest'
import { unpublished } from '../../lambdas/api/stored-lists.ts'
import { tellProgress } from '../../store/aws/progress.ts'

it('the answer before the first snapshot says how far it is, where that is known', () => {
  expect(unpublished().message).toBe('The first snapshot is not published yet.')
  tellProgress('building the first snapshot', 151, 250)
  expect(unpublished().message).toBe(
    'The first snapshot is not published yet: building the first snapshot, 60 %.',
  )
})
