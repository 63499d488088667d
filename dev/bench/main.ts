/** `npm run bench -- <name>…`: measures, prints, and fails where a goal is missed. All of them without a name. */

/** What a benchmark's module exports: it prints what it measured and gives the goals that were missed. */
export type Bench = { run(): Promise<readonly string[]> }

/** A module is loaded when it is asked for: most start servers. */
const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  start: () => import('./start.ts'),
  idle: async () => ({ run: (await import('./start.ts')).runIdle }),
  ingest: () => import('./ingest.ts'),
  api: () => import('./api.ts'),
  rebuild: () => import('./rebuild.ts'),
  stream: () => import('./stream/stream.ts'),
  'catch-up': () => import('./catch-up.ts'),
  head: () => import('./head.ts'),
  endpoints: () => import('./endpoints.ts'),
  pushes: () => import('./pushes.ts'),
  archive: () => import('./archive.ts'),
  sync: () => import('./sync.ts'),
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in benches))
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}\n`)
  process.exit(2)
}
for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
  process.stdout.write(`\n# ${name}\n`)
  const missed = (await (await benches[name]?.())?.run()) ?? []
  for (const goal of missed) process.stdout.write(`MISSED ${goal}\n`)
  if (missed.length > 0) process.exitCode = 1
}
process.exit()
