/** The operator's commands on the wire of DynamoDB and S3: newer rules catch up beside a service that goes on, and readers go over and back. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FOLD_VERSION, RULES_VERSION } from '../../market/rules.ts'
import type { Manifest } from '../../schemas/api/service.ts'
import { openTable } from '../../store/aws/table.ts'
import { openManifests } from '../../store/published/manifests.ts'
import { type AdminRun, readyDir } from '../support/admin.ts'
import { startStores } from '../support/aws/ingest-stores.ts'
import { type FaultyProxy, startFaultyProxy } from '../support/chain/faulty-proxy.ts'
import { generateChain } from '../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../support/chain/generated-node.ts'
import type { SharedWorld } from '../support/chain/release.ts'
import { openRelease, type Release, withRaisedRules } from '../support/chain/releases.ts'
import { isLong } from '../support/rounds.ts'
import { tempDir } from '../support/temp-dir.ts'

const chain = generateChain({ seed: 6, minutes: 8, creations: 20, swapsAMinute: 6 })
const dir = tempDir()
let stores: Awaited<ReturnType<typeof startStores>>
let endpoint: FaultyProxy
let world: SharedWorld
let old: Release
/** The program of the release before. */
let adminOld: (...argv: string[]) => Promise<AdminRun>

/** Runs the program of a release with newer rules, which loads its commands when they are called. */
const adminYoung = (...argv: string[]): Promise<AdminRun> =>
  withRaisedRules(async () => (await import('../support/admin.ts')).admin(...argv), { chain: chain.rules })

beforeAll(async () => {
  stores = await startStores()
  const node = openGeneratedNode(chain)
  node.head = chain.first + 30 * 6
  endpoint = await startFaultyProxy(node.answer)
  world = {
    table: openTable('market'),
    segments: stores.segments,
    published: stores.published,
    chain,
    node,
    now: () => Date.now() / 1_000,
  }
  readyDir(dir, { ...stores.env, CHAIN: 'devnet', RPC_URLS: endpoint.url })
  old = await openRelease()
  adminOld = (await import('../support/admin.ts')).admin
})

afterAll(async () => {
  await endpoint.stop()
  await stores.stop()
})

const newest = (): Promise<Manifest | undefined> => openManifests(stores.published).newest()
const rows = async () => JSON.parse((await adminOld('rules', '--json', '--data-dir', dir)).out)

it.runIf(isLong)('newer rules catch up beside the service, which can go back to the older ones', async () => {
  const ingest = await old.startIngest(world)
  for (let at = 0; at < 200; at++) if ((await ingest.next()).value?.is === 'idle') break
  await old.publish(world)
  const before = await newest()
  expect(before).toMatchObject({ log_switches: 1 })
  let isOver = false
  const beside = adminYoung('beside', '--data-dir', dir).finally(() => {
    isOver = true
  })
  while (!isOver && (await newest())?.log_switches === 1)
    await new Promise((resolve) => setTimeout(resolve, 100))
  process.emit('SIGTERM')
  expect(await beside).toMatchObject({
    code: 0,
    err: expect.stringContaining('is live: deploy this release'),
  })
  const after = await newest()
  expect(after).toMatchObject({ minute: before?.minute, rules_version: (before?.rules_version ?? 0) + 1 })
  const { live, publishers } = await rows()
  expect(live.publisher).not.toBe(old.publisher)
  expect(publishers).toHaveLength(2)
  const table = await adminOld('rules', '--data-dir', dir)
  expect(table.out).toMatch(new RegExp(`${old.publisher} +kept`))
  expect(table.out).toMatch(new RegExp(`${FOLD_VERSION + 1}\\.${RULES_VERSION + 1}/\\w+ +live`))

  expect(await adminOld('rules', '9.9', '--data-dir', dir)).toMatchObject({
    code: 2,
    err: expect.stringContaining('UnknownRules'),
  })
  const back = await adminOld('rules', old.rules, '--data-dir', dir)
  expect(back).toMatchObject({ code: 0, out: expect.stringContaining(`go over to ${old.publisher}`) })
  await old.publish(world)
  expect(await newest()).toMatchObject({ log_switches: 3, rules_version: before?.rules_version })
})
