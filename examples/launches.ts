/**
 * Says each launch of the last seven days once, with its buyers, and goes on as new ones come: those with at least so
 * many buyers. Runs until it is stopped, or once with ONCE=1.
 *
 *   API=http://127.0.0.1:4100 KEY=… npx tsx examples/launches.ts 2
 */
const api = process.env['API'] ?? 'http://127.0.0.1:4100'
const buyers = process.argv[2] ?? '1'
const PAUSE_MS = 30_000

type Launch = {
  readonly contract_address: string
  readonly symbol: string
  readonly created_at: string
  readonly buyers: number
  readonly volume: number
}

const said = new Set<string>()

async function lookOnce(): Promise<void> {
  const found: Launch[] = []
  let path: string | undefined = `/v1/discover/new-launches?limit=50&min_buyers=${buyers}`
  while (path) {
    const response: Response = await fetch(new URL(path, api), {
      headers: { authorization: `Bearer ${process.env['KEY']}` },
    })
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    found.push(...((await response.json()) as Launch[]))
    path = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  for (const launch of found.reverse()) {
    if (said.has(launch.contract_address)) continue
    said.add(launch.contract_address)
    process.stdout.write(`${JSON.stringify(launch)}\n`)
  }
}

for (;;) {
  await lookOnce()
  if (process.env['ONCE']) break
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
