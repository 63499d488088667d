import type { OldTokens } from '../../../ingest/decode/old-tokens.ts'
import type { PriorToken } from '../../../market/prior.ts'
import type { Address } from '../../../market/segment.ts'

/** Finds these tokens older than the log, each with its quotes, without a chain. */
export const olderTokensOf = (known: ReadonlyMap<Address, PriorToken>): OldTokens => ({
  find: async (addresses) => {
    const found = new Map<Address, PriorToken>()
    for (const address of addresses)
      for (let one = known.get(address); one; one = known.get(one.token.quote))
        found.set(one.token.address, one)
    return found
  },
})
