// @ts-check
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
  edge: {
    mutate: ['lambdas/edge/*.{js,ts}', 'schemas/api/canonical.js'],
    tests: [
      'lambdas/edge/edge-functions',
      'lambdas/limits',
      'schemas/**/canonical',
      'local/{edge-access,edge-answers,cloudfront}',
    ],
  },
}

const room = rooms[process.env['ROOM'] ?? '']
if (!room) throw new RangeError(`ROOM is one of ${Object.keys(rooms).join(', ')}`)
export const { mutate, tests } = room
