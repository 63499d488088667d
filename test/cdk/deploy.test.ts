/** The storage stack, deployed by the CDK itself to moto, an independent second AWS: `CDK_DEPLOY=1 npx vitest run test/cdk/deploy`. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DescribeTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeBundles } from '../../lambdas/build/bundles.ts'
import { tables } from '../../store/tables.ts'
import { type Running, startMoto } from '../support/stand-ins.ts'

const ROOT = join(import.meta.dirname, '../..')
const MINUTES = 60_000
const folder = mkdtempSync(join(tmpdir(), 'z100-deploy-'))
let moto: Running | undefined
let environment: NodeJS.ProcessEnv

const run = (command: string, ...more: readonly string[]) =>
  execFileSync('npx', ['cdk', command, ...more, '--output', join(folder, 'out')], {
    ...{ cwd: ROOT, env: environment, stdio: 'pipe' },
  })

describe.runIf(process.env['CDK_DEPLOY'])('the storage stack', () => {
  beforeAll(async () => {
    moto = await startMoto()
    if (!moto) return
    // moto takes the address of a template for one of a bucket only where it says localhost.
    const url = moto.url.replace('127.0.0.1', 'localhost')
    environment = {
      ...process.env,
      AWS_ENDPOINT_URL: url,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    }
    if (!existsSync(join(ROOT, 'dist/bundles'))) await writeBundles(join(ROOT, 'dist'))
    run('bootstrap', 'aws://123456789012/us-east-1')
    run(
      ...(['deploy', 'Z100-dev-Storage', '--exclusively', '--require-approval', 'never'] as const),
      ...['--parameters', 'Z100-dev-Storage:RpcUrls=https://base.example.org'],
    )
  }, 10 * MINUTES)
  afterAll(async () => {
    await moto?.stop()
    rmSync(folder, { recursive: true })
  })

  it('makes tables with the keys of the code, which nobody can delete, and one bucket', async (context) => {
    if (!moto) return context.skip()
    const client = new DynamoDBClient({})
    const { TableNames = [] } = await client.send(new ListTablesCommand({}))
    expect(TableNames).toHaveLength(Object.keys(tables).length)
    for (const TableName of TableNames) {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }))
      expect(Table?.KeySchema).toEqual([
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ])
      // moto keeps neither the expiry nor the backups that CloudFormation asks for; the template's test has them.
      expect(Table?.BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST')
      expect(Table?.DeletionProtectionEnabled).toBe(true)
    }
    const { Buckets = [] } = await new S3Client({}).send(new ListBucketsCommand({}))
    expect(Buckets.map(({ Name }) => Name).filter((name) => name?.includes('segmentbucket'))).toHaveLength(1)
  })

  it(
    'makes tables on which the store’s own tests pass',
    async (context) => {
      if (!moto) return context.skip()
      const { TableNames = [] } = await new DynamoDBClient({}).send(new ListTablesCommand({}))
      const market = TableNames.find((name) => name.includes('MarketTable'))
      const told = execFileSync(
        process.execPath,
        ['node_modules/vitest/vitest.mjs', 'run', 'test/store/table.test.ts', '--reporter', 'verbose'],
        { cwd: ROOT, env: { ...environment, DEPLOYED_TABLE: market, NO_COLOR: '1' }, stdio: 'pipe' },
      )
      expect(told.toString()).toMatch(/Tests {2}8 passed/)
      expect(told.toString()).toContain('a table on deployed')
    },
    5 * MINUTES,
  )
})
