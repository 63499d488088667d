// Whole form only.
/** The archive as tables of Athena; what moto makes of them: `CDK_DEPLOY=1 npx vitest run test/cdk/archive`. */
import { App, Stack, Validations } from 'aws-cdk-lib'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { AwsSolutionsChecks } from 'cdk-nag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileKey, spanHolding } from '../../archive/span.ts'
import { stages } from '../../cdk/config.ts'
import { ArchiveQueries } from '../../cdk/parts/archive.ts'
import { archiveColumns, archiveSets } from '../../schemas/records/archive-sets.ts'
import { type Running, startMoto } from '../support/aws/emulators.ts'
import { tempDir } from '../support/temp-dir.ts'
import { only, type Properties, propertiesOf, synthesiseProd, type TemplateText } from './synthesised.ts'

const names = Object.keys(archiveSets) as (keyof typeof archiveSets)[]

/** The resources of a stage whose queries may scan 20 GB. Throws where a rule of cdk-nag is broken without a reason. */
function synthesised(): TemplateText {
  const app = new App({ outdir: tempDir() })
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  const stack = new Stack(app, 'Queries', { env: { account: '123456789012', region: 'us-east-1' } })
  const published = Bucket.fromBucketName(stack, 'Published', 'published')
  const deployment = { stage: stages.prod } as ConstructorParameters<typeof ArchiveQueries>[2]['deployment']
  new ArchiveQueries(stack, 'Queries', { deployment, published, scannedGb: 20 })
  return app.synth().getStackByName('Queries').template as TemplateText
}

const tablesIn = (template: TemplateText) =>
  propertiesOf(template, 'AWS::Glue::Table') as readonly (Properties & { readonly TableInput: Table })[]

type Table = {
  readonly Name: string
  readonly Parameters: Properties
  readonly StorageDescriptor: { readonly Columns: readonly { readonly Name: string }[] }
}

describe('the archive for Athena', () => {
  it('is off unless a stage asks for it', async () => {
    expect(Object.values(stages).map(({ archiveQueryGb }) => archiveQueryGb)).toEqual([null, null, null])
    const { service } = await synthesiseProd()
    expect(JSON.stringify(service)).not.toMatch(/AWS::(Glue|Athena)::/)
  })

  it('has a table of every set, with its columns, whose days are found without a crawler', () => {
    const template = synthesised()
    expect(only(template, 'AWS::Glue::Database')['DatabaseInput']).toEqual({ Name: 'z100_prod' })
    const tables = tablesIn(template).map(({ TableInput }) => TableInput)
    expect(tables.map(({ Name }) => Name).sort()).toEqual([...names].sort())
    const day = spanHolding('day', 29_000_160)
    for (const { Name: name, Parameters, StorageDescriptor } of tables) {
      const set = names.find((one) => one === name) ?? expect.fail(name)
      expect(StorageDescriptor.Columns.map(({ Name }) => Name)).toEqual(
        archiveColumns(set).map((column) => column.name),
      )
      const template = String(Parameters['storage.location.template'])
      const date = day.name.replace('date=', '')
      const key = fileKey({ name, extension: 'parquet' }, day)
      expect(`${template.replace(/\$\{date\}/, date)}/part-000.parquet`).toBe(`s3://published/${key}`)
    }
  })

  it('ends a query that scans too much', () => {
    expect(only(synthesised(), 'AWS::Athena::WorkGroup')).toMatchObject({
      Name: 'z100-prod',
      WorkGroupConfiguration: { BytesScannedCutoffPerQuery: 2e10, EnforceWorkGroupConfiguration: true },
    })
  })
})

describe.runIf(process.env['CDK_DEPLOY'])('the archive for Athena in moto', () => {
  let moto: Running | undefined
  beforeAll(async () => {
    moto = await startMoto()
  })
  afterAll(() => moto?.stop())

  /** Calls Glue or Athena, whose resources moto's CloudFormation does not know. */
  async function call(service: 'AWSGlue' | 'AmazonAthena', action: string, body: object): Promise<unknown> {
    const scope = service === 'AWSGlue' ? 'glue' : 'athena'
    const answer = await fetch(moto?.url ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `${service}.${action}`,
        authorization: `AWS4-HMAC-SHA256 Credential=key/20261126/us-east-1/${scope}/aws4_request, SignedHeaders=host, Signature=0`,
      },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    expect([action, answer.status, text]).toEqual([action, 200, text])
    return JSON.parse(text || '{}')
  }

  it('is made of what the template says, and is there', async (context) => {
    if (!moto) return context.skip()
    const template = synthesised()
    await call('AWSGlue', 'CreateDatabase', only(template, 'AWS::Glue::Database'))
    for (const { TableInput } of tablesIn(template)) {
      await call('AWSGlue', 'CreateTable', { DatabaseName: 'z100_prod', TableInput })
      const named = { DatabaseName: 'z100_prod', Name: TableInput.Name }
      expect(await call('AWSGlue', 'GetTable', named)).toMatchObject({ Table: TableInput })
    }
    const { Name, WorkGroupConfiguration } = only(template, 'AWS::Athena::WorkGroup')
    const location = 's3://results/'
    const Configuration = {
      ...(WorkGroupConfiguration as Properties),
      ResultConfiguration: { OutputLocation: location },
    }
    await call('AmazonAthena', 'CreateWorkGroup', { Name, Configuration, Description: '', Tags: [] })
    expect(await call('AmazonAthena', 'GetWorkGroup', { WorkGroup: Name })).toMatchObject({
      WorkGroup: { Name, Configuration: { BytesScannedCutoffPerQuery: 2e10 } },
    })
  })
})
