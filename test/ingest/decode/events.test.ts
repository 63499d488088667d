import { describe, expect, it } from 'vitest'
import { topicOf } from '../../../ingest/decode/events.ts'

describe('topics of events', () => {
  // As seen in logs of Base: published by the protocol's contracts and by Uniswap's.
  it.each([
    ['creatorCoinCreated', '0x74b670d628e152daa36ca95dda7cb0002d6ea7a37b55afe4593db7abd1515781'],
    ['coinCreated', '0x2de436107c2096e039c98bbcc3c5a2560583738ce15c234557eecb4d3221aa81'],
    ['liquidityMigrated', '0x907fbdc07b1c9a591dc1287635b072fa848f4da7c86645dfc9b8bfb3b94f82ab'],
    ['swapped', '0xd0565428a2140862827b5b6126002556c70acb52db537fae9cf41a18a470ec4a'],
    ['coinTransfer', '0xa20126263d779da517a295859c8332765f45a215da1c42acac1b9e458a69a144'],
    ['modifyLiquidity', '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'],
    ['poolSwap', '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f'],
    ['v3Swap', '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'],
  ] as const)('%s', (name, topic) => {
    expect(topicOf[name]).toBe(topic)
  })

  it.each([
    ['nameAndSymbolUpdated', /^0x336055cc.*3460$/],
    ['contractMetadataUpdated', /^0x74b7c2af.*487b$/],
    ['initialize', /^0xdd466e67.*6438$/],
  ] as const)('%s', (name, topic) => {
    expect(topicOf[name]).toMatch(topic)
  })
})
