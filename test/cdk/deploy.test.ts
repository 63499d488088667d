/**
 * The stacks of both stages, deployed by the CDK itself to moto, an independent second AWS; what operators do with them there:
 * `CDK_DEPLOY=1 npx vitest run test/cdk/deploy`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DescribeTableCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AskAws, askByCli, listIn } from '../../admin/base/aws-cli.ts'
import { examine } from '../../admin/deploy/doctor.ts'
import { afterChecks } from '../../admin/deploy/doctor-after.ts'
import type { Surroundings } from '../../admin/deploy/doctor-look.ts'
import { restoreTables } from '../../admin/deploy/restore.ts'
import { writeBundles } from '../../lambdas/build/bundles.ts'
import { buildSite, writeSite } from '../../site/build/build-site.ts'
import { type Running, startMoto } from '../support/aws/emulators.ts'
import { tempDir } from '../support/temp-dir.ts'
import {
  cutForMoto,
  kindsIn,
  leftOutForMoto,
  plantFailure,
  unknownToMoto,
  withoutProtection,
} from './moto-assembly.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = tempDir()
let moto: Running | undefined
let environment: NodeJS.ProcessEnv
let aws: AskAws
/** Of resources, in all templates. */
const kinds = new Set<string>()

const run = (command: string, ...more: readonly string[]) =>
  execFileSync('npx', ['cdk', command, ...more], { cwd: ROOT, env: environment, stdio: 'pipe' })
const out = (stage: string): string => join(folder, stage)
const deploy = (stage: string, stack: string, ...more: readonly string[]) =>
  run(
    ...(['deploy', `Z100-${stage}-${stack}`, '--app', out(stage), '--exclusively'] as const),
    // By change sets moto makes resources before those that they depend on.
    ...['--method', 'direct', '--require-approval', 'never', ...more],
  )

/** What made first deployments fail, each followed by one that succeeded. */
const failed: string[] = []

/**
 * A deployment that fails. moto does not roll back, so its stack is deleted, which keeps what a rollback keeps: resources that
 * are retained in any case.
 */
async function failToDeploy(why: RegExp, stage: string, stack: string, ...more: readonly string[]) {
  expect(() => deploy(stage, stack, ...more)).toThrow(why)
  failed.push(`${stack}: ${why.source}`)
  await aws('cloudformation delete-stack', { 'stack-name': `Z100-${stage}-${stack}` })
}

/** Deploys a stack for the second time, after it failed when everything else in it was made. */
async function deployAgain(stage: string, stack: string, ...more: readonly string[]) {
  const takeOut = plantFailure(out(stage), `Z100-${stage}-${stack}`)
  await failToDeploy(/InvalidVpcID|vpc-nowhere/, stage, stack, ...more)
  takeOut()
  deploy(stage, stack, ...more)
}

/** Physical ids of what a stack has made in moto, by logical id. */
async function madeIn(stage: string, stack: string): Promise<ReadonlyMap<string, string>> {
  const found = await aws('cloudformation describe-stack-resources', {
    'stack-name': `Z100-${stage}-${stack}`,
  })
  const resources = listIn(found, 'StackResources')
  return new Map(
    resources.map((each) => [String(each['LogicalResourceId']), String(each['PhysicalResourceId'])]),
  )
}

/** The logical id of a service's cluster. */
const clusterOf = (ids: ReadonlyMap<string, string>): string =>
  [...ids.keys()].find((id) => id.startsWith('NetworkCluster')) ?? ''

async function tableIn(stage: string, name: string): Promise<string> {
  const [, id = ''] =
    [...(await madeIn(stage, 'Storage'))].find(([logical]) => logical.startsWith(name)) ?? []
  return id
}

/** Restores Access as an operator does, and looks whether what is then there is whole. */
async function restoredAccess(stage: 'dev' | 'prod'): Promise<string> {
  const client = new DynamoDBClient({})
  const access = await tableIn(stage, 'AccessTable')
  const Item = { pk: { S: 'ACCOUNT' }, sk: { S: 'first' }, name: { S: 'First reader' } }
  await client.send(new PutItemCommand({ TableName: access, Item }))
  const { access: TableName = '' } = await restoreTables({
    aws,
    stage,
    sources: { access },
    at: null,
    isFromCopies: false,
    mark: '202611221200',
    isResumed: false,
    pause: () => new Promise((resolve) => setTimeout(resolve, 200)),
    warn: () => undefined,
  })
  expect(TableName).toBe(`${access}-restored-202611221200`)
  expect((await client.send(new ScanCommand({ TableName }))).Items).toEqual([Item])
  const { Table } = await client.send(new DescribeTableCommand({ TableName }))
  expect(Table?.DeletionProtectionEnabled).toBe(true)
  const [expiry, backups, tags] = await Promise.all([
    aws('dynamodb describe-time-to-live', { 'table-name': TableName }),
    aws('dynamodb describe-continuous-backups', { 'table-name': TableName }),
    aws('dynamodb list-tags-of-resource', { 'resource-arn': Table?.TableArn ?? '' }),
  ])
  expect(expiry?.['TimeToLiveDescription']).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' })
  expect(JSON.stringify(backups)).toContain('"PointInTimeRecoveryStatus":"ENABLED"')
  expect(listIn(tags, 'Tags')).toContainEqual({ Key: 'backup', Value: 'z100-prod-access' })
  return TableName
}

beforeAll(async () => {
  if (!process.env['CDK_DEPLOY']) return
  moto = await startMoto()
  if (!moto) return
  // moto takes the address of a template for one of a bucket only where it says localhost.
  const url = moto.url.replace('127.0.0.1', 'localhost')
  environment = {
    ...process.env,
    AWS_ENDPOINT_URL: url,
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  }
  aws = askByCli(environment)
  if (!existsSync(join(ROOT, 'dist/bundles'))) await writeBundles(join(ROOT, 'dist'))
  if (!existsSync(join(ROOT, 'dist/site'))) await writeSite(await buildSite(), join(ROOT, 'dist/site'))
  run('synth', '--quiet', '-c', 'stage=dev', '--output', out('early'))
  cutForMoto(out('early'), 'Z100-dev-Storage')
  const early = ['deploy', 'Z100-dev-Storage', '--app', out('early'), '--exclusively'] as const
  expect(() => run(...early, '--require-approval', 'never')).toThrow(/bootstrap/)
  failed.push('Storage: bootstrap')
  run('bootstrap', 'aws://123456789012/us-east-1')
})
afterAll(() => moto?.stop())

describe.runIf(process.env['CDK_DEPLOY']).each([
  { stage: 'dev', stacks: ['Storage'] },
  { stage: 'prod', stacks: ['Copies', 'Storage'] },
] as const)('$stage', ({ stage, stacks }) => {
  beforeAll(async () => {
    if (!moto) return
    run('synth', '--quiet', '-c', `stage=${stage}`, '--output', out(stage))
    withoutProtection(out(stage))
    for (const stack of [...stacks, 'Service'])
      for (const kind of kindsIn(out(stage), `Z100-${stage}-${stack}`)) kinds.add(kind)
    for (const stack of stacks) {
      cutForMoto(out(stage), `Z100-${stage}-${stack}`)
      if (stack === 'Storage') await failToDeploy(/RpcUrls/, stage, stack)
      const given = ['--parameters', `Z100-${stage}-Storage:RpcUrls=https://base.example.org`]
      await deployAgain(stage, stack, ...(stack === 'Storage' ? given : []))
    }
  })

  it('makes every resource of the service that moto knows, by the code and the names of the storage', async (context) => {
    if (!moto) return context.skip()
    const service = `Z100-${stage}-Service`
    const wanted = kindsIn(out(stage), service)
    const ids = await madeIn(stage, 'Storage')
    cutForMoto(out(stage), service, [{ stack: `Z100-${stage}-Storage`, ids }])
    // The drill of README: moto cannot update a stack, so the service of prod begins with a restored table.
    const access = stage === 'prod' ? await restoredAccess(stage) : await tableIn(stage, 'AccessTable')
    await deployAgain(
      stage,
      'Service',
      ...(stage === 'prod' ? ['--parameters', `Z100-prod-Service:AccessTable=${access}`] : []),
    )
    const found = await aws('cloudformation describe-stack-resources', { 'stack-name': service })
    const made = new Set(listIn(found, 'StackResources').map(({ ResourceType }) => String(ResourceType)))
    expect([...made].sort()).toEqual(wanted.filter((kind) => !leftOutForMoto.includes(kind)))
    expect(made.size).toBeGreaterThan(25)
    const market = await tableIn(stage, 'MarketTable')
    const functions = listIn(await aws('lambda list-functions'), 'Functions').map((each) =>
      JSON.stringify(each),
    )
    expect(functions.filter((text) => text.includes(market))).toHaveLength(3)
    expect(functions.filter((text) => text.includes(`"ACCESS_TABLE":"${access}"`))).toHaveLength(3)
  })
})

describe.runIf(process.env['CDK_DEPLOY'])('what stands in moto', () => {
  it('was deployed again after each failure: before the bootstrap, without endpoints, and at the end of each stack', (context) => {
    if (!moto) return context.skip()
    const atEnd = (stack: string) => `${stack}: InvalidVpcID|vpc-nowhere`
    const ofStage = ['Storage: RpcUrls', atEnd('Storage'), atEnd('Service')]
    expect(failed).toEqual(['Storage: bootstrap', ...ofStage, atEnd('Copies'), ...ofStage])
  })

  it('has a release beside the service, in its network, which is deleted alone', async (context) => {
    if (!moto) return context.skip()
    const stacks = await Promise.all(
      ['Storage', 'Service'].map(async (stack) => ({
        stack: `Z100-dev-${stack}`,
        ids: await madeIn('dev', stack),
      })),
    )
    const wanted = kindsIn(out('dev'), 'Z100-dev-Beside')
    cutForMoto(out('dev'), 'Z100-dev-Beside', stacks)
    deploy('dev', 'Beside')
    const described = { 'stack-name': 'Z100-dev-Beside' }
    const found = listIn(await aws('cloudformation describe-stack-resources', described), 'StackResources')
    expect([...new Set(found.map(({ ResourceType }) => String(ResourceType)))].sort()).toEqual(wanted)
    const services = listIn(
      await aws('ecs list-services', { cluster: stacks[1]!.ids.get(clusterOf(stacks[1]!.ids)) ?? '' }),
      'serviceArns',
    )
    // Ingest serves the stream of dev.
    expect(services).toHaveLength(2)
    run('destroy', 'Z100-dev-Beside', '--app', out('dev'), '--exclusively', '--force')
    expect(await aws('cloudformation describe-stacks', described)).toBeNull()
  })

  it('lacks nothing that no template has', (context) => {
    if (!moto) return context.skip()
    expect(unknownToMoto.filter((kind) => !kinds.has(kind))).toEqual([])
  })

  it('says to doctor what is missing, each thing by name, until it is there', async (context) => {
    if (!moto) return context.skip()
    const at: Surroundings = {
      aws,
      stage: 'prod',
      region: 'us-east-1',
      cli: 'aws-cli/2',
      now: Date.now() / 1_000,
      publisher: '5.4/own',
      image: { version: '24', releasedAt: new Date().toISOString() },
      http: async () => ({ status: 503, text: '' }),
      choices: { rpcUrls: 'https://base.example.org' },
    }
    const found = Object.fromEntries((await examine(at)).map(({ check, fault }) => [check, fault]))
    const ofTables = async () => (await afterChecks['tables']?.(at)) ?? null
    const isSound = Object.keys(found).filter((check) => found[check] === null)
    expect(isSound).toEqual([
      ...[
        'credentials',
        'region',
        'command line',
        'region of the copies',
        'kept names',
        'bootstrap',
        'certificate',
        'rules',
        'beside',
        'stacks',
        'alarms',
        'image of the tasks',
        'own names',
      ],
    ])
    expect(found).toMatchObject({
      'concurrent runs': expect.stringContaining('GetAccountSettings'),
      'vCPUs of Fargate': 'the account allows 0 vCPUs of Fargate, and prod may grow to 13',
      distributions: expect.stringContaining('must be verified'),
      'prefix list of CloudFront': expect.stringMatching(/^pl-\w+ is not CloudFront/),
      endpoints: 'the endpoint at base.example.org does not answer',
      mail: 'nobody receives alarms',
      tables: expect.stringMatching(/^items of .*MarketTable.* do not expire$/),
      'tasks of the stream': 'no task of the stream is healthy',
      copies: 'segments are not copied to us-west-2',
    })
    for (const name of ['MarketTable', 'AccessTable', 'UsageTable']) {
      const table = { 'table-name': await tableIn('prod', name) }
      const expiry = 'Enabled=true,AttributeName=ttl'
      await aws('dynamodb update-time-to-live', { ...table, 'time-to-live-specification': expiry })
      expect(await ofTables()).not.toBeNull()
      const backups = 'PointInTimeRecoveryEnabled=true'
      await aws('dynamodb update-continuous-backups', {
        ...table,
        'point-in-time-recovery-specification': backups,
      })
    }
    expect(await ofTables()).toBeNull()
  })
})
