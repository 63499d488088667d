// @ts-check
import { globSync, readFileSync } from 'node:fs'

/** What is changed in each room, and the tests that should notice it; ROOM in the environment names one. */
/** @type {Readonly<Record<string, { readonly mutate: readonly string[], readonly tests: readonly string[] }>>} */
const rooms = {
  market: { mutate: ['market/**/*.ts'], tests: ['market/**/*'] },
  projection: {
    mutate: ['store/items/projection.ts', 'store/aws/memory.ts'],
    tests: ['store/**/*', 'protocol/protocol'],
  },
  commit: {
    mutate: ['ingest/writer/{commit,feed-writer,pending}.ts'],
    tests: [
      'protocol/protocol',
      'ingest/writer/{writer,feed-writer,gap,rollback,first-logs}',
      'store/log/log',
    ],
  },
  /** What the edge and the API canonicalise by. The functions themselves are read as text, run in node:vm and bounded by CloudFront's 10 KB: Stryker's switches do not fit in. */
  edge: { mutate: ['schemas/api/canonical.js'], tests: ['schemas/canonical'] },
}

const room = rooms[process.env['ROOM'] ?? '']
if (!room) throw new RangeError(`ROOM is one of ${Object.keys(rooms).join(', ')}`)
export const { tests } = room

/** Lines that stand together in a sample. */
const TOGETHER = 4
/** With SAMPLE=20 in the environment, only one of 20 groups of lines is changed. */
const nth = Number(process.env['SAMPLE'] ?? 1)
export const mutate =
  nth === 1
    ? room.mutate
    : globSync([...room.mutate])
        .sort()
        .flatMap(groupsOf)
        .filter((_, group) => group % nth === 0)

/** @param {string} file */
function groupsOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n').length
  return Array.from(
    { length: Math.ceil(lines / TOGETHER) },
    (_, group) => `${file}:${group * TOGETHER + 1}-${(group + 1) * TOGETHER}`,
  )
}
