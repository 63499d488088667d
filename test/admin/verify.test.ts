import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import { effectiveEntries } from '../../market/log.ts'
import { toAttributes } from '../../store/aws/attributes.ts'
import type { Bucket, StoredObject } from '../../store/aws/bucket.ts'
import { allOf } from '../../store/aws/parallel.ts'
import type { Item } from '../../store/aws/table.ts'
import { manifestKey, marketKeys } from '../../store/aws/tables.ts'
import { logEntryBytes } from '../../store/bytes/codec.ts'
import { openDocuments } from '../../store/published/documents.ts'
import { admin, readyDir } from '../support/admin.ts'
import { startFaultyProxy } from '../support/chain/faulty-proxy.ts'
import { limitRate } from '../support/chain/strict-endpoint.ts'
import { casesOf, isWhole } from '../support/rounds.ts'
import { usePublishedHistory } from './published-history.ts'

const { dir, history, run, verify } = usePublishedHistory(21)
const ids = (count: number) =>
  history()
    .kept.slice(-count)
    .map(({ snapshot_id }) => snapshot_id)

/** Does something while other bytes stand at a key. */
async function withForged<T>(
  bucket: Bucket,
  key: string,
  forge: (object: StoredObject) => Uint8Array,
  act: () => Promise<T>,
): Promise<T> {
  const object = (await bucket.read(key))!
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const bytes = forge(object)
  const metadata = { ...object.metadata, ...(object.metadata['sha256'] ? { sha256: sha256(bytes) } : {}) }
  await bucket.put(key, bytes, { metadata })
  try {
    return await act()
  } finally {
    await bucket.put(key, object.bytes, { metadata: object.metadata })
  }
}

const BOARD = 'v1/z100/creators/24h'
type Row = Record<string, unknown>

/** The board with one row that was never true. */
function withFalseRow({ bytes }: Pick<StoredObject, 'bytes'>) {
  const rows = JSON.parse(Buffer.from(bytes).toString()) as Row[]
  rows[2]!['market_cap'] = 123_456.78
  return Buffer.from(`[${rows.map((row) => JSON.stringify(row)).join(',\n')}]`)
}

/** A manifest that says the false board's digest. */
const withFalseDigest =
  (digest: string) =>
  ({ bytes }: Pick<StoredObject, 'bytes'>) => {
    const manifest = JSON.parse(Buffer.from(bytes).toString()) as {
      documents: Record<string, { sha256: string }>
    }
    manifest.documents[BOARD]!.sha256 = digest
    return Buffer.from(JSON.stringify(manifest, null, 1))
  }

describe('an unaltered service', () => {
  test('is equal in every document of the last five manifests, over a log with a reorg in it', async () => {
    const entries = await allOf(history().log.entriesAfter(0))
    expect(entries.some(({ is }) => is === 'rewound')).toBe(true)
    const { code, verdict, findings } = await verify()
    expect(findings).toEqual([])
    expect({ code, result: verdict.result }).toEqual({ code: 0, result: 'equal' })
    expect(verdict.snapshots.map(({ id }) => id)).toEqual(ids(5))
    for (const snapshot of verdict.snapshots) {
      expect(snapshot.documents).toBe(Object.keys(history().kept[0]!.documents).length)
      expect(snapshot.tableDocuments).toBeGreaterThan(15)
    }
    expect(verdict.minutes).toBe(effectiveEntries(entries).length)
    expect(verdict.rows).toBeGreaterThan(50)
    expect(verdict.into).toBeNull()
  })

  test.runIf(isWhole)('is equal from the newest checkpoint on, which reads less', async () => {
    const all = effectiveEntries(await allOf(history().log.entriesAfter(0))).length
    const { code, verdict, findings } = await verify('--checkpoint', 'newest')
    expect(findings).toEqual([])
    expect(code).toBe(0)
    expect(verdict.minutes).toBeGreaterThan(4)
    expect(verdict.minutes).toBeLessThan(all)
  })

  test.runIf(isWhole)('is equal from there on by an endpoint that requires addresses', async () => {
    const proxy = await startFaultyProxy(history().market.rpcUrl)
    limitRate(proxy, { wantsAddresses: true })
    const { code, findings } = await verify('--checkpoint', 'newest', '--rpc-url', proxy.url).finally(
      proxy.stop,
    )
    expect({ code, findings }).toEqual({ code: 0, findings: [] })
  })

  test.runIf(isWhole)('verify writes nothing to the disk', async () => {
    const { TMPDIR } = process.env
    process.env['TMPDIR'] = join(dir, 'no such directory')
    const { code } = await verify('--last', '1', '--checkpoint', 'newest').finally(() => {
      if (TMPDIR === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = TMPDIR
    })
    expect(code).toBe(0)
  })

  test('verify writes the rebuilt documents to --into', async () => {
    const scratch = join(dir, 'scratch')
    const [id = ''] = ids(1)
    const { code, out, err } = await run('verify', id, '--checkpoint', 'newest', '--into', scratch)
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(out).toContain(`${id}: equal`)
    const board = readFileSync(join(scratch, id, BOARD))
    expect(board).toEqual(Buffer.from((await history().published.read(BOARD))!.bytes))
  })
})

describe('a difference', () => {
  test('a byte flipped in a stored segment is that segment’s digest mismatch', async () => {
    const sealed = effectiveEntries(await allOf(history().log.entriesAfter(0)))
    const { key } = sealed.at(-3)!.segment
    for (const place of casesOf([20, -6], 1)) {
      const flip = ({ bytes }: Pick<StoredObject, 'bytes'>) => {
        const copy = Buffer.from(bytes)
        const at = place < 0 ? copy.length + place : place
        copy[at] = copy[at]! ^ 1
        return copy
      }
      const found = await withForged(history().segments, key, flip, () => verify('--last', '1'))
      expect(found.code).toBe(1)
      expect(found.findings).toEqual([
        { is: 'different', subject: key, description: expect.stringContaining('digest that the log names') },
      ])
    }
  })

  test('a false row, and headers that name another block: each with the document, the field and both values', async () => {
    const [id] = ids(1)
    const { published } = history()
    const rows = JSON.parse(Buffer.from((await published.read(BOARD))!.bytes).toString()) as Row[]
    const other = 'v1/z100/posts/24h'
    const { bytes, metadata } = (await published.read(other))!
    await published.put(other, bytes, { metadata: { ...metadata, block: '7' } })
    const { code, findings } = await withForged(published, BOARD, withFalseRow, () =>
      verify('--last', '1'),
    ).finally(() => published.put(other, bytes, { metadata }))
    expect(code).toBe(1)
    const row = `row 3 (${String(rows[2]!['contract_address'])}), market_cap`
    const values = `${row}: published 123456.78, rebuilt ${JSON.stringify(rows[2]!['market_cap'])}`
    expect(findings).toHaveLength(2)
    const [falseRow, otherBlock] = findings.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
    expect(falseRow).toMatchObject({ subject: `${BOARD} of ${id}` })
    expect(falseRow!.description).toContain(values)
    expect(falseRow!.description).toContain('do not have the manifest')
    expect(otherBlock).toMatchObject({
      subject: `${other} of ${id}`,
      description: expect.stringMatching(/^header block: published 7, rebuilt \d+$/),
    })
  })

  test.runIf(isWhole)(
    'a false row is named even if both copies of the manifest have its digest',
    async () => {
      const { published } = history()
      const { minute } = history().kept.at(-1)!
      const copy = `manifests/${String(minute).padStart(8, '0')}.json`
      const sign = withFalseDigest(
        createHash('sha256')
          .update(withFalseRow((await published.read(BOARD))!))
          .digest('hex'),
      )
      const { code, findings } = await withForged(published, BOARD, withFalseRow, () =>
        withForged(published, manifestKey, sign, () =>
          withForged(published, copy, sign, () => verify('--last', '1')),
        ),
      )
      expect(code).toBe(1)
      expect(findings).toHaveLength(1)
      expect(findings[0]!.subject).toBe(`${BOARD} of ${ids(1)[0]}`)
      expect(findings[0]!.description).toMatch(
        /^row 3 \(0x\w{40}\), market_cap: published 123456.78, rebuilt /,
      )
      expect(findings[0]!.description).not.toContain('do not have the manifest')
    },
  )

  test.runIf(isWhole)('a manifest in force that is not its copy', async () => {
    const { code, findings } = await withForged(
      history().published,
      manifestKey,
      withFalseDigest('0'.repeat(64)),
      () => verify('--last', '1'),
    )
    expect(code).toBe(1)
    expect(findings.map(({ description }) => description)).toContainEqual(
      expect.stringContaining(`${BOARD}.sha256: in force "000`),
    )
  })

  /** Makes a table's document of the last minute but one another text; gives what puts it back. */
  async function forgeStored(name: string, forge: (text: string) => string) {
    const { table, documents, kept } = history()
    const stored = (await documents.readDocument(name, kept.at(-2)!.minute))!
    const putText = async (text: string) => {
      const items: Item[] = []
      const put = async (item: Item) => {
        items.push(item)
        return true
      }
      await openDocuments({ ...table, put }).putDocument({ ...stored, text })
      await putItems(items)
    }
    await putText(forge(stored.text))
    return () => putText(stored.text)
  }

  test.runIf(isWhole)(
    'false values in the tables, which parameterised answers are cut from, and text that is no row',
    async () => {
      const forged: Readonly<
        Record<string, readonly [description: RegExp, forge: (text: string) => string]>
      > = {
        [BOARD]: [
          /^row 2 \(.*\), unique_holders: stored 4711, rebuilt \d+$/,
          (text) => {
            const [first, second, ...others] = text.split('\n')
            const changed = second!.replace(/"unique_holders":\d+/, '"unique_holders":4711')
            return [first, changed, ...others].join('\n')
          },
        ],
        'v1/market/volume/24h': [
          /^total_trades: stored 4711, rebuilt \d+$/,
          (text) => text.replace(/"total_trades":\d+/, '"total_trades":4711'),
        ],
        'v1/z100/creators/7d': [/^line 1: /, (text) => text.replace('{', '{ ')],
      }
      const restores: (() => Promise<void>)[] = []
      for (const [name, [, forge]] of Object.entries(forged)) restores.push(await forgeStored(name, forge))
      const { code, findings } = await verify('--last', '2').finally(async () => {
        for (const restore of restores) await restore()
      })
      expect(code).toBe(1)
      const found = new Map(findings.map(({ subject, description }) => [subject, description]))
      const id = history().kept.at(-2)!.snapshot_id
      expect([...found.keys()].sort()).toEqual(
        Object.keys(forged)
          .map((name) => `table document ${name} of ${id}`)
          .sort(),
      )
      for (const [name, [description]] of Object.entries(forged))
        expect(found.get(`table document ${name} of ${id}`)).toMatch(description)
    },
  )

  test('a minute of the log whose segment the chain does not reproduce', async () => {
    const sealed = effectiveEntries(await allOf(history().log.entriesAfter(0)))
    const entry = sealed.at(-2)!
    const before = (await history().table.read(marketKeys.logEntry(entry.n)))!
    const segment = await history().log.readSegment(entry.segment)
    const reference = await history().log.putSegment({ ...segment, facts: segment.facts + 1 })
    await putItems([{ ...before, entry: logEntryBytes.write({ ...entry, segment: reference }) }])
    const { code, findings } = await verify('--last', '1').finally(() => putItems([before]))
    expect(code).toBe(1)
    expect(findings).toEqual([
      {
        is: 'different',
        subject: reference.key,
        description: expect.stringContaining(`minute ${entry.minute}: the log says `),
      },
    ])
  })
})

describe('inputs that cannot be verified', () => {
  test('a snapshot whose block was orphaned', async () => {
    const { code, verdict, findings } = await verify(history().orphaned.snapshot_id, ids(1)[0]!)
    expect({ code, result: verdict.result }).toEqual({ code: 2, result: 'unknown' })
    expect(findings).toHaveLength(1)
    expect(findings[0]!.description).toMatch(/^block \d+ 0x.* is not on the endpoint/)
    expect(verdict.snapshots.map(({ documents }) => documents > 0)).toEqual([false, true])
  })

  const unknown = [
    ['a snapshot that never was', ['20200101T0000Z-00000000'], 'UnknownSnapshot'],
    ['an id that is none', ['newest'], 'UnknownSnapshot'],
    ['from a checkpoint that is not there', ['--checkpoint', 'checkpoints/none'], 'Checkpoint'],
    ['from an endpoint that is not there', ['--rpc-url', 'http://127.0.0.1:1'], 'RpcUnavailableError'],
  ] as const
  test.each(casesOf(unknown, 3))('%s', async (_, argv, error) => {
    const { code, out, err } = await run('verify', ...argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(`${error}: `)
  })

  test('where no endpoint is named', async () => {
    const nameless = readyDir(join(dir, 'nameless'), { ...history().env, RPC_URLS: ',' })
    const { code, err } = await admin('verify', '--data-dir', nameless)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^NoRpcUrl: /) })
  })

  test('where no run is', async () => {
    const { code, err } = await admin('verify', '--data-dir', join(dir, 'nothing'))
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^NoRun: .*npm start/) })
  })
})

describe('a minute built from the log', () => {
  test('has the published bytes, and differs from another as its rows do', async () => {
    const [first, last] = [history().kept[0]!, history().kept.at(-1)!]
    const into = join(dir, 'built')
    const at = new Date(first.minute * 60_000).toISOString()
    const built = await run('rebuild', '--at', at, '--into', into)
    expect(built).toMatchObject({ code: 0, out: expect.stringContaining('every digest is as published') })
    expect(existsSync(join(into, BOARD))).toBe(true)
    expect(await run('snapshot', 'diff', into, first.snapshot_id)).toMatchObject({ code: 0 })

    const { code, out } = await run('snapshot', 'diff', into, last.snapshot_id, '--json')
    expect(code).toBe(1)
    const diffs = JSON.parse(out) as { document: string; changed: { fields: { field: string }[] }[] }[]
    const changed = Object.keys(last.documents).filter(
      (name) => last.documents[name]!.sha256 !== first.documents[name]!.sha256,
    )
    expect(diffs.map(({ document }) => document).sort()).toEqual(changed.sort())
    expect((await run('rebuild', '--at', at, '--into', into)).err).toContain('DirectoryNotEmpty')
  })

  test('is not begun for a comparison whose other side does not exist', async () => {
    const { snapshot_id } = history().kept[0]!
    const absent = '20200101T0000Z-00000000'
    for (const [sides, name] of [
      [[snapshot_id, absent], 'UnknownSnapshot'],
      [[absent, snapshot_id], 'UnknownSnapshot'],
      [[snapshot_id, join(dir, 'nowhere')], 'NotASnapshot'],
    ] as const) {
      const { code, err } = await run('snapshot', 'diff', ...sides)
      // A rebuild would say what it reads before it says what is missing.
      expect([code, err]).toEqual([2, expect.stringMatching(new RegExp(`^${name}: `))])
    }
  })

  test('is not there before the first', async () => {
    expect(await run('rebuild', '--at', '1', '--into', join(dir, 'none'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('NoSuchMinute'),
    })
  })
})

async function putItems(items: readonly Item[]): Promise<void> {
  const client = new DynamoDBClient({})
  const TableName = history().env['MARKET_TABLE']
  for (const item of items) await client.send(new PutItemCommand({ TableName, Item: toAttributes(item) }))
  client.destroy()
}
