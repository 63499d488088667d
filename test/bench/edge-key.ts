/** The key that the edge's benchmark asks with, and the entry that the edge knows it by. */
import { edgeKeys, edgeKeyText, keyDigest } from '../../schemas/access.ts'

export const BENCH_KEY = 'z100_test_bench'
export const benchEntries: ReadonlyMap<string, string> = new Map([
  [
    edgeKeys.key(keyDigest(BENCH_KEY)),
    edgeKeyText({ account: 'bench', tier: 'enterprise', state: 'active' }),
  ],
])
