import {
  Arn,
  ArnFormat,
  Aws,
  BootstraplessSynthesizer,
  CfnOutput,
  DefaultStackSynthesizer,
  Duration,
  type IStackSynthesizer,
  RemovalPolicy,
  Stack,
  type StackProps,
  Tags,
} from 'aws-cdk-lib'
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { Schedule } from 'aws-cdk-lib/aws-events'
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Bucket, type ReplicationRule, ReplicationTimeValue } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { BACKUP_ROLE_OUTPUT, copiesBucketOf, vaultsOf } from '../../schemas/deployment/stages.ts'
import { objectPrefixes } from '../../store/aws/tables.ts'
import { closedBucket, segmentRules } from '../buckets.ts'
import { HOME_REGION, keptDays, type Stage } from '../config.ts'
import { acknowledge } from '../grants.ts'
import { onlyIn } from '../rules.ts'

export const copiesBucketName = ({ name, copiesRegion }: Stage): string =>
  copiesBucketOf(name, Aws.ACCOUNT_ID, copiesRegion)

const BACKUP_TAG = 'backup'

/**
 * For what has a fixed name: kept, except where its creation is rolled back. A retained one would make the next attempt
 * fail, because its name exists.
 */
const KEPT = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE

/** A role of the bootstrap in the home region. Roles are of the whole account, and these may act in any of its regions. */
const homeRole = (name: string): string =>
  `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:role/cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}-${name}-role-\${AWS::AccountId}-${HOME_REGION}`

/** Copies of unrecoverable data in a second region. It has no assets and uses the roles of the home region, so its own needs no bootstrap. */
export class CopiesStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & { readonly stage: Stage }) {
    const { stage, ...rest } = props
    const synthesizer: unknown = new BootstraplessSynthesizer({
      deployRoleArn: homeRole('deploy'),
      cloudFormationExecutionRoleArn: homeRole('cfn-exec'),
    })
    // The CDK's class does not match its interface under exactOptionalPropertyTypes.
    super(scope, id, { ...rest, synthesizer: synthesizer as IStackSynthesizer })
    if (stage.copiesRegion)
      onlyIn(
        this,
        stage.copiesRegion,
        'The name of the bucket of copies holds the region that the stage names.',
      )
    const bucket = closedBucket(this, 'Segments', {
      bucketName: copiesBucketName(stage),
      versioned: true,
      removalPolicy: KEPT,
      lifecycleRules: segmentRules,
    })
    acknowledge(bucket, { S1: 'S3’s replication alone writes to it; CloudTrail tells who else tries.' })
    const { copies: backupVaultName } = vaultsOf(stage.name)
    new BackupVault(this, 'Vault', { backupVaultName, removalPolicy: KEPT })
  }
}

/** Id of the rule that copies objects below a prefix. */
export const replicationRuleId = (prefix: string): string => prefix.slice(0, -1)

/** Prefixes of the segment bucket that are copied: everything that cannot be derived. Deletions are not copied. */
export function replicationTo(scope: Stack, stage: Stage): ReplicationRule[] {
  const destination = Bucket.fromBucketName(scope, 'CopiesBucket', copiesBucketName(stage))
  return [objectPrefixes.segments, objectPrefixes.index, objectPrefixes.kept].map((prefix, priority) => ({
    destination,
    priority,
    filter: { prefix },
    id: replicationRuleId(prefix),
    deleteMarkerReplication: false,
    // Watched by alarms. Index records and published hours go the same way.
    ...(prefix === objectPrefixes.segments ? { metrics: ReplicationTimeValue.FIFTEEN_MINUTES } : {}),
  }))
}

/**
 * Backups of the tables, copied to the second region. A DynamoDB replica would be fresher by an hour, but would repeat
 * whatever is deleted or overwritten by mistake or by an intruder.
 */
export function backUp(
  scope: Stack,
  tables: { readonly access: Table; readonly market: Table },
  { name: stage, copiesRegion: region }: Stage,
): void {
  const { own: backupVaultName, copies: resourceName } = vaultsOf(stage)
  const vault = new BackupVault(scope, 'Vault', { backupVaultName, removalPolicy: KEPT })
  const arn = Arn.format(
    {
      service: 'backup',
      ...(region ? { region } : {}),
      resource: 'backup-vault',
      resourceName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    },
    scope,
  )
  const destinationBackupVault = BackupVault.fromBackupVaultArn(scope, 'CopiesVault', arn)
  const role = backupRole(scope)
  const plans = {
    access: { schedule: Schedule.cron({ minute: '0' }), days: keptDays.accessBackups },
    market: {
      schedule: Schedule.cron({ minute: '30', hour: '3', weekDay: 'SUN' }),
      days: keptDays.marketBackups,
    },
  }
  for (const [name, { schedule, days }] of Object.entries(plans)) {
    const deleteAfter = Duration.days(days)
    const backupPlanName = `z100-${stage}-${name}`
    // Selected by a tag, which restored tables get, too.
    Tags.of(tables[name as keyof typeof plans]).add(BACKUP_TAG, backupPlanName)
    const plan = new BackupPlan(scope, `Backup-${name}`, { backupPlanName, backupVault: vault })
    plan.addRule(
      new BackupPlanRule({
        scheduleExpression: schedule,
        startWindow: Duration.hours(1),
        completionWindow: Duration.hours(6),
        deleteAfter,
        copyActions: [{ destinationBackupVault, deleteAfter }],
      }),
    )
    plan.addSelection('Table', {
      role,
      disableDefaultBackupPolicy: true,
      resources: [BackupResource.fromTag(BACKUP_TAG, backupPlanName)],
    })
  }
}

/** The role of AWS Backup for backups, copies and restores. */
function backupRole(scope: Stack): Role {
  const policies = ['Backup', 'Restores'].map((kind) => `service-role/AWSBackupServiceRolePolicyFor${kind}`)
  const role = new Role(scope, 'BackupRole', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
    managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
  })
  const reason = 'AWS’s own policies for AWS Backup, which grow with what it does.'
  for (const name of policies)
    acknowledge(role, { [`IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`]: reason })
  new CfnOutput(scope, BACKUP_ROLE_OUTPUT, {
    value: role.roleArn,
    description: 'What AWS Backup restores as',
  })
  return role
}
