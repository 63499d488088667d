import { describe, expect, it } from 'vitest'
import { InvalidEnvError, readEnv } from '../../schemas/deployment/env.ts'

describe('readEnv', () => {
  const full = { MARKET_TABLE: 'm', SEGMENT_BUCKET: 's', PUBLISHED_BUCKET: 'p', HOME: '/' }

  it('returns the variables of the process and no others', () => {
    expect(readEnv('rebuildSnapshots', { ...full, CHAIN: 'base', CODE_VERSION: '' })).toEqual({
      MARKET_TABLE: 'm',
      SEGMENT_BUCKET: 's',
      PUBLISHED_BUCKET: 'p',
      CHAIN: 'base',
    })
  })

  it('names the variable that is missing or empty', () => {
    expect(() => readEnv('rebuildSnapshots', { ...full, SEGMENT_BUCKET: '' })).toThrow(
      new InvalidEnvError('SEGMENT_BUCKET'),
    )
  })
})
