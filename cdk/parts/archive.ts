import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena'
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { ARCHIVE_EVERY_SECONDS } from '../../schemas/deployment/stages.ts'
import type { ColumnType } from '../../schemas/records/archive-columns.ts'
import { type ArchiveSetName, archiveColumns, archiveSets } from '../../schemas/records/archive-sets.ts'
import { manifestKey, objectPrefixes } from '../../store/aws/tables.ts'
import { closedBucket } from '../buckets.ts'
import { ARCHIVE_MEMORY_MB, ARCHIVE_SECONDS, type Deployment, keptDays } from '../config.ts'
import { acknowledge, allow, allowObjects, tableActions } from '../grants.ts'
import { failureQueue, schedule, serviceFunction } from './functions.ts'
import type { Storage } from './storage.ts'

/** Writes the archive into the published bucket each hour. */
export class ArchiveWriter extends Construct {
  readonly write: LambdaFunction
  /** Failed runs. */
  readonly missed: Queue

  constructor(
    scope: Construct,
    id: string,
    props: { readonly deployment: Deployment; readonly storage: Storage; readonly published: IBucket },
  ) {
    super(scope, id)
    const { deployment, storage, published } = props
    this.missed = failureQueue(this, 'Missed')
    const { handler, role } = serviceFunction(this, 'Write', {
      deployment,
      process: 'writeArchive',
      bundle: 'write-archive',
      environment: {
        MARKET_TABLE: storage.market.tableName,
        SEGMENT_BUCKET: storage.segments.bucketName,
        PUBLISHED_BUCKET: published.bucketName,
        CHAIN: deployment.stage.chain,
      },
      memoryMb: ARCHIVE_MEMORY_MB,
      timeoutSeconds: ARCHIVE_SECONDS,
      failed: { queue: this.missed, retries: 0 },
    })
    this.write = handler
    // Two runs at once are harmless: the manifest is put on condition.
    schedule(this, handler, {
      names: { group: 'Hours', schedule: 'EachHour' },
      seconds: ARCHIVE_EVERY_SECONDS,
      missed: this.missed,
    })
    allow(role, tableActions.read, [storage.market.tableArn])
    allowObjects(role, storage.segments, {
      reads: [objectPrefixes.segments, objectPrefixes.kept],
      writes: [],
    })
    allowObjects(role, published, { reads: [manifestKey], writes: [objectPrefixes.archive] })
  }
}

/** Types of Athena's columns. */
const athenaTypes: Readonly<Record<ColumnType, string>> = {
  INT64: 'bigint',
  DOUBLE: 'double',
  STRING: 'string',
  BOOLEAN: 'boolean',
  TIMESTAMP: 'timestamp',
}

/** The first day that may be asked for; days without files cost nothing. */
const FIRST_DAY = '2024-01-01'

/**
 * The archive as tables of Athena, for the account's own people: a database whose partitions are worked out from the day
 * instead of being listed, and a workgroup that ends a query which scans too much.
 */
export class ArchiveQueries extends Construct {
  constructor(
    scope: Construct,
    id: string,
    props: { readonly deployment: Deployment; readonly published: IBucket; readonly scannedGb: number },
  ) {
    super(scope, id)
    const { published, scannedGb, deployment } = props
    const name = `z100_${deployment.stage.name}`
    const { account } = Stack.of(this)
    const database = new CfnDatabase(this, 'Database', { catalogId: account, databaseInput: { name } })
    for (const set of Object.keys(archiveSets) as ArchiveSetName[]) {
      const table = new CfnTable(this, `Table${set}`, {
        catalogId: account,
        databaseName: name,
        tableInput: tableInput(set, `s3://${published.bucketName}/${objectPrefixes.archive}${set}/`),
      })
      table.addResourceDependency(database)
    }
    const results = closedBucket(this, 'Results', {
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [{ id: 'results', expiration: Duration.days(keptDays.queryResults) }],
    })
    acknowledge(results, { S1: 'Results of the account’s own queries, for a few days.' })
    new CfnWorkGroup(this, 'WorkGroup', {
      name: `z100-${deployment.stage.name}`,
      recursiveDeleteOption: true,
      workGroupConfiguration: {
        bytesScannedCutoffPerQuery: scannedGb * 1_000_000_000,
        enforceWorkGroupConfiguration: true,
        resultConfiguration: {
          outputLocation: `s3://${results.bucketName}/`,
          encryptionConfiguration: { encryptionOption: 'SSE_S3' },
        },
      },
    })
  }
}

/** An external table over the days of a set. */
const tableInput = (set: ArchiveSetName, location: string): CfnTable.TableInputProperty => ({
  name: set,
  description: archiveSets[set].description,
  tableType: 'EXTERNAL_TABLE',
  partitionKeys: [{ name: 'date', type: 'string' }],
  parameters: {
    classification: 'parquet',
    'projection.enabled': 'true',
    'projection.date.type': 'date',
    'projection.date.format': 'yyyy-MM-dd',
    'projection.date.range': `${FIRST_DAY},NOW`,
    'storage.location.template': `${location}date=\${date}`,
  },
  storageDescriptor: {
    location,
    inputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat',
    outputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat',
    serdeInfo: { serializationLibrary: 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' },
    columns: archiveColumns(set).map(({ name, type, description }) => ({
      name,
      type: athenaTypes[type],
      comment: description.slice(0, COMMENT_MAX),
    })),
  },
})

/** Glue's limit. */
const COMMENT_MAX = 255
