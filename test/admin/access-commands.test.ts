import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isKey, keyDigest, usageHourOf } from '../../schemas/api/access.ts'
import { isValidAt } from '../../store/accounts/access.ts'
import { admin, readyDir } from '../support/admin.ts'
import { startAccess } from '../support/aws/access.ts'
import { useDynalite } from '../support/aws/dynalite.ts'
import { tempDir } from '../support/temp-dir.ts'

const dir = tempDir()
await useDynalite()
const access = await startAccess()
afterAll(() => access.stop())
readyDir(dir, { ...access.env, CHAIN: 'devnet' })

/** A command on the run of `dir` that must succeed: its lines. */
async function run(...argv: string[]): Promise<string[]> {
  const { code, out, err } = await admin(...argv, '--data-dir', dir)
  expect(code, err).toBe(0)
  return out.trimEnd().split('\n')
}
const runJson = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).join('\n'))

describe('npm run admin', () => {
  it('creates, lists, changes, rotates, revokes and audits an account and its keys', async () => {
    const { id } = await runJson('account', 'create', 'Ada & Co', '--tier', 'professional')
    expect(await run('account', 'list')).toEqual([
      expect.stringMatching(/^id +name +tier +state +created_at$/),
      expect.stringMatching(`^${id}  Ada & Co  professional  active`),
    ])
    expect(await admin('account', 'create', 'Ada & Co', '--data-dir', dir)).toMatchObject({
      code: 2,
      err: expect.stringContaining('NameTaken'),
    })
    expect(await runJson('key', 'list', 'Ada & Co')).toEqual([])
    const [key = ''] = await run('key', 'create', id)
    expect(isKey(key)).toBe(true)
    expect(key).toMatch(/^z100_test_/)
    const [listed] = await runJson('key', 'list', id)
    expect(listed).toEqual({
      id: expect.stringMatching(`^${id}-[0-9a-f]{8}$`),
      prefix: `${key.slice(0, 14)}…`,
      label: '',
      created_at: expect.any(String),
      ends_at: null,
    })
    const rotated = await runJson('key', 'rotate', listed.id, '--overlap', '2h', '--kind', 'live')
    expect(rotated.key).toMatch(/^z100_live_/)
    expect(rotated.before.ends_at).toMatch(/^\d{4}-/)
    expect((await access.service.access.key(keyDigest(key)))?.endsAt).toBeGreaterThan(
      access.service.now() + 7_000,
    )
    expect(await run('key', 'revoke', key)).toEqual([expect.stringMatching(/^key .* ends at \d{4}-/)])
    const states = (await run('key', 'list', 'Ada & Co')).map((line) => line.split(/ {2,}/).at(-1))
    expect(states.sort()).toEqual(['ended', 'state', 'valid'])
    expect((await run('account', 'tier', 'Ada & Co', 'enterprise'))[1]).toContain('enterprise')
    expect((await run('account', 'suspend', id))[1]).toContain('suspended')
    expect((await run('account', 'resume', id))[1]).toContain('active')
    await access.usage.take({ account: id, hour: usageHourOf(access.service.now()) }, 10)
    expect((await run('usage', id))[1]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00Z {2}1 of 20000$/)
    expect(await run('reconcile')).toEqual(['table, gateway and edge agree'])
    const audit = (await run('audit', '--limit', '20')).join('\n')
    for (const action of [
      'account create',
      'key create',
      'key rotate',
      'key revoke',
      'account tier',
      'reconcile',
    ])
      expect(audit).toContain(action)
    for (const text of [key, rotated.key]) expect(audit).not.toContain(text.slice(14))
    expect((await runJson('audit')).length).toBeGreaterThan(5)
    expect(await runJson('reconcile')).toEqual([])
  })

  it('accepts common options before the command, too', async () => {
    const listed = await admin('--data-dir', dir, '--json', 'account', 'list')
    expect(listed.code, listed.err).toBe(0)
    expect(JSON.parse(listed.out)).toEqual(await runJson('account', 'list'))
    const { code, err } = await admin('--aws', 'account', 'list', '--data-dir', join(dir, 'nothing'))
    expect([code, err.split(':')[0]]).not.toEqual([2, 'NoRun'])
    expect(err).not.toContain('unknown option')
  })

  it('reports that no run is ready', async () => {
    const { code, err } = await admin('account', 'list', '--data-dir', join(dir, 'nothing'))
    expect([code, err.split(':')[0]]).toEqual([2, 'NoRun'])
  })
})

describe('a name', () => {
  it.each([
    ['of nothing', ''],
    ['that would end its line', 'Ada\nid  name'],
    ['that moves the cursor', 'Ada\x1b[2K\x1b[1A'],
    ['that reverses what follows', 'Ada \u202eknab'],
    ['that only looks like another one', 'Ada\u200b'],
    ['with a space at its end', 'Ada '],
    ['of 65 characters', 'a'.repeat(65)],
  ])('%s is refused for an account, a new name and a label', async (_, name) => {
    const { id } = await runJson('account', 'create', `owner ${Math.random()}`)
    const attempts = [
      ['account', 'create', name],
      ['account', 'rename', id, name],
      ...(name === '' ? [] : [['key', 'create', id, '--label', name]]),
    ]
    for (const attempt of attempts) {
      const { code, err } = await admin(...attempt, '--data-dir', dir)
      expect([attempt, code]).toEqual([attempt, 2])
      expect(err).toMatch(/^InvalidName: [\x20-\x7e]+\n$/)
    }
  })

  it('that is another account’s name or id is taken', async () => {
    const { id } = await runJson('account', 'create', 'Grace')
    const other = await runJson('account', 'create', 'Edith')
    for (const name of ['Grace', id])
      expect((await admin('account', 'rename', other.id, name, '--data-dir', dir)).err).toMatch(
        /^NameTaken: /,
      )
    expect((await run('account', 'rename', 'Grace', 'Grace Hopper'))[1]).toMatch(
      new RegExp(`^${id}  Grace Hopper  basic`),
    )
    expect((await runJson('key', 'list', 'Grace Hopper')).length).toBe(0)
    expect((await admin('key', 'list', 'Grace', '--data-dir', dir)).err).toMatch(/^UnknownAccount: /)
  })

  it('that was stored before is printed so that it cannot forge a line', async () => {
    const account = await runJson('account', 'create', 'to be forged')
    const stored = (await access.service.access.account(account.id))!
    await access.service.access.putAccount({ ...stored, name: 'x\r\x1b[2Kadmin  enterprise' })
    const lines = await run('account', 'list')
    expect(lines.find((line) => line.startsWith(account.id))).toContain('x\\u{d}\\u{1b}[2Kadmin  enterprise')
    expect(lines.join('')).not.toMatch(/\p{Cc}/u)
  })
})

it('a label of a key is shown in the list, changed, and inherited by the key that replaces it', async () => {
  const { id } = await runJson('account', 'create', 'with labels')
  await run('key', 'create', id, '--label', 'build server')
  const [key] = await runJson('key', 'list', id)
  expect(key.label).toBe('build server')
  expect(await run('key', 'label', key.id, 'laptop')).toEqual([`key ${key.id}: laptop`])
  await run('key', 'rotate', key.id)
  expect((await runJson('key', 'list', id)).map(({ label }: { label: string }) => label)).toEqual([
    ...['laptop', 'laptop'],
  ])
})

it('a deleted account must be suspended first; then the account, its keys and its entries at gateway and edge are deleted', async () => {
  const { id } = await runJson('account', 'create', 'soon gone')
  const [text = ''] = await run('key', 'create', id)
  const remove = () => admin('account', 'delete', 'soon gone', '--data-dir', dir)
  expect((await remove()).err).toMatch(/^AccountActive: /)
  await run('account', 'suspend', id)
  expect(await remove()).toMatchObject({ code: 0, out: `account ${id} (soon gone) is deleted\n` })
  const { service } = access
  expect(await service.access.account(id)).toBeUndefined()
  const entries: string[] = []
  for await (const [, value] of service.edge.entries()) entries.push(value)
  expect(entries.filter((value) => value.startsWith(id))).toEqual([])
  expect(isValidAt((await service.access.key(keyDigest(text)))!, service.now())).toBe(false)
  expect((await remove()).err).toMatch(/^UnknownAccount: /)
  // Its name is free again, for another account.
  expect((await runJson('account', 'create', 'soon gone')).id).not.toBe(id)
  expect(await run('reconcile')).toEqual(['table, gateway and edge agree'])
})

it.each([
  [['nonsense'], 'InvalidCommand', 'nonsense'],
  [['account', 'create'], 'InvalidCommand', 'name'],
  [['account', 'create', 'x', '--tier', 'golden'], 'InvalidCommand', 'basic, professional, enterprise'],
  [['account', 'suspend', 'nobody'], 'UnknownAccount', 'nobody'],
  [['account', 'tier', 'x', 'golden'], 'UnknownTier', 'basic, professional, enterprise'],
  [['key', 'create', 'nobody'], 'UnknownAccount', 'nobody'],
  [['key', 'revoke', 'nobody-00000000'], 'UnknownKey', 'nobody-00000000'],
  [['key', 'rotate', 'x', '--overlap', 'soon'], 'InvalidCommand', '90m, 12h or 7d'],
  [['doctor'], 'NoAccount', 'aws'],
])(
  '%j is refused in one line on stderr, which begins with %s and says why: %s',
  async (argv, name, reason) => {
    const { code, out, err } = await admin(...argv, '--data-dir', dir)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(new RegExp(`^${name}: [^\n]*${reason}[^\n]*\n$`, 'i'))
  },
)
