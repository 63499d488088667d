import { join } from 'node:path'
import { Duration, Stack } from 'aws-cdk-lib'
import { Peer, Port, SecurityGroup } from 'aws-cdk-lib/aws-ec2'
import { Platform } from 'aws-cdk-lib/aws-ecr-assets'
import {
  Capability,
  type ContainerDefinition,
  ContainerDependencyCondition,
  ContainerImage,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  LinuxParameters,
  LogDriver,
  OperatingSystemFamily,
  PropagatedTagSource,
  Secret,
  UlimitName,
} from 'aws-cdk-lib/aws-ecs'
import type { IRole } from 'aws-cdk-lib/aws-iam'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Asset } from 'aws-cdk-lib/aws-s3-assets'
import { Construct } from 'constructs'
import type { Env, ProcessName } from '../../schemas/deployment/env.ts'
import { REBUILD_SEMI_SPACE_MB, type TaskSize } from '../../schemas/deployment/stages.ts'
import { objectPrefixes } from '../../store/aws/tables.ts'
import { choiceOf } from '../choices.ts'
import { type Deployment, images, metricsVariable, ports } from '../config.ts'
import { acknowledge, acknowledgeWildcard, allow, allowObjects, tableActions } from '../grants.ts'
import { serviceLog } from './functions.ts'
import type { Network } from './network.ts'
import type { Storage } from './storage.ts'

/** A long-running process: its bundle, and exactly the variables that it declares, some of them secrets. */
type ContainerSettings<P extends ProcessName, S extends keyof Env<P> & string> = {
  readonly deployment: Deployment
  readonly process: P
  /** Its folder in the bundles, also for the image of cdk/Dockerfile. */
  readonly bundle: string
  readonly environment: Omit<Env<P>, S>
  readonly secrets: Readonly<Record<S, Secret>>
  /** Port on which its container answers /health. */
  readonly healthPort: number
  /** Time after SIGTERM. */
  readonly stopSeconds: number
  /** Options of Node. */
  readonly nodeOptions?: readonly string[]
}

/** A service whose tasks run it. */
type TaskSettings<P extends ProcessName, S extends keyof Env<P> & string> = ContainerSettings<P, S> & {
  readonly network: Network
  readonly size: TaskSize
  /** null: auto-scaled, and unchanged by a deployment. */
  readonly tasks: number | null
}

/** Share of a rebuilding task's memory that Node may use for objects; the market's numbers are outside of it. */
const HEAP_SHARE = 0.5
/** Options of Node of a rebuilding task. */
export const rebuildOptions = (memoryMb: number): readonly string[] => [
  `--max-old-space-size=${memoryMb * HEAP_SHARE}`,
  youngObjects,
]
/** Option of Node of whatever rebuilds. */
export const youngObjects = `--max-semi-space-size=${REBUILD_SEMI_SPACE_MB}`
/** Path of the process in its container. */
const FOLDER = '/app'
/** The unprivileged user of the Node image. */
const NODE_USER = '1000'
/** Each reader is an open file. */
const OPEN_FILES = 65_535

/** A Fargate service with our defaults. */
export class Task<P extends ProcessName, S extends keyof Env<P> & string = never> extends Construct {
  readonly service: FargateService
  readonly container: ContainerDefinition
  /** Role of the task's processes, to which permissions are added. */
  readonly role: IRole
  readonly definition: FargateTaskDefinition

  constructor(scope: Construct, id: string, settings: TaskSettings<P, S>) {
    super(scope, id)
    const { network, size, tasks } = settings
    const definition = new FargateTaskDefinition(this, 'Definition', {
      cpu: size.cpu,
      memoryLimitMiB: size.memoryMb,
      runtimePlatform: {
        cpuArchitecture: CpuArchitecture.ARM64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    })
    acknowledge(definition, { ECS2: 'Variables name tables and buckets; what is secret is a secret.' })
    this.role = definition.taskRole
    this.definition = definition
    this.container = this.addContainer(settings)
    if (settings.deployment.hasDocker && definition.executionRole) {
      acknowledgeWildcard(definition.executionRole, '*', 'The token of the registry is of no resource.')
    }
    const securityGroup = new SecurityGroup(this, 'Group', {
      vpc: network.vpc,
      allowAllOutbound: false,
      description: 'No inbound traffic unless a rule is added; outbound TLS only',
    })
    // The chain's endpoints can be anywhere.
    securityGroup.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS and the chain')
    this.service = new FargateService(this, 'Service', {
      cluster: network.cluster,
      taskDefinition: definition,
      ...(tasks === null ? {} : { desiredCount: tasks }),
      assignPublicIp: true,
      vpcSubnets: { subnetGroupName: 'tasks' },
      securityGroups: [securityGroup],
      ...(settings.deployment.stage.areTasksSpot
        ? { capacityProviderStrategies: [{ capacityProvider: 'FARGATE_SPOT', weight: 1 }] }
        : {}),
      // Old and new tasks overlap for a while; two writers of one log are harmless.
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      circuitBreaker: { rollback: true },
      enableExecuteCommand: false,
      // Otherwise no bill by stage contains its tasks.
      propagateTags: PropagatedTagSource.SERVICE,
    })
    // Without the route, the first task could fetch neither its image nor its bundle.
    for (const subnet of network.vpc.publicSubnets) {
      this.service.node.addDependency(subnet.internetConnectivityEstablished)
    }
  }

  /** A process of the task. A second one shares its size and its rights, and both are replaced together; `id`: of the second. */
  addContainer<Q extends ProcessName, T extends keyof Env<Q> & string>(
    settings: ContainerSettings<Q, T>,
    id = '',
  ): ContainerDefinition {
    const { definition } = this
    const { deployment, bundle, environment, secrets, healthPort, stopSeconds, nodeOptions = [] } = settings
    const log = serviceLog(this, `${id}Log`, deployment)
    const check = `fetch('http://127.0.0.1:${healthPort}/health').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))`
    const container = definition.addContainer(id === '' ? 'process' : bundle, {
      image: deployment.hasDocker ? builtImage(bundle) : ContainerImage.fromRegistry(images.node),
      command: ['node', ...nodeOptions, `${FOLDER}/index.mjs`],
      user: NODE_USER,
      readonlyRootFilesystem: true,
      environment: { ...environment } as Record<string, string>,
      secrets: { ...secrets },
      stopTimeout: Duration.seconds(stopSeconds),
      logging: LogDriver.awsLogs({ logGroup: log, streamPrefix: bundle }),
      healthCheck: {
        command: ['CMD', 'node', '-e', check],
        interval: Duration.seconds(30),
        timeout: Duration.seconds(5),
        retries: 3,
        startPeriod: Duration.seconds(60),
      },
    })
    container.addUlimits({ name: UlimitName.NOFILE, softLimit: OPEN_FILES, hardLimit: OPEN_FILES })
    if (!deployment.hasDocker) this.addFetcher(settings, { container, log, id })
    return container
  }

  /** An init container that downloads the bundle for the other one. */
  private addFetcher(
    { deployment, bundle }: Pick<ContainerSettings<ProcessName, never>, 'deployment' | 'bundle'>,
    {
      container,
      log,
      id,
    }: { readonly container: ContainerDefinition; readonly log: LogGroup; readonly id: string },
  ): void {
    const { definition } = this
    const name = `${id === '' ? '' : `${bundle}-`}bundle`
    const asset = new Asset(this, `${id}Bundle`, { path: join(deployment.bundles, bundle, 'index.mjs') })
    const arn = Stack.of(this).formatArn({
      service: 's3',
      region: '',
      account: '',
      resource: asset.s3BucketName,
      resourceName: asset.s3ObjectKey,
    })
    allow(definition.taskRole, ['s3:GetObject'], [arn])
    definition.addVolume({ name })
    const fetcher = definition.addContainer(name, {
      image: ContainerImage.fromRegistry(images.awsCli),
      command: ['s3', 'cp', '--only-show-errors', asset.s3ObjectUrl, `${FOLDER}/index.mjs`],
      essential: false,
      // The volume is root's, so its writer is; of what root may do nothing is left to it.
      linuxParameters: new LinuxParameters(this, `${id}FetcherRights`),
      readonlyRootFilesystem: true,
      logging: LogDriver.awsLogs({ logGroup: log, streamPrefix: 'bundle' }),
    })
    fetcher.linuxParameters?.dropCapabilities(Capability.ALL)
    fetcher.addMountPoints({ sourceVolume: name, containerPath: FOLDER, readOnly: false })
    container.addMountPoints({ sourceVolume: name, containerPath: FOLDER, readOnly: true })
    container.addContainerDependencies({
      container: fetcher,
      condition: ContainerDependencyCondition.SUCCESS,
    })
  }
}

/** The image of cdk/Dockerfile, built on the deploying machine. */
const builtImage = (bundle: string): ContainerImage =>
  ContainerImage.fromAsset(join(import.meta.dirname, '../..'), {
    file: 'cdk/Dockerfile',
    buildArgs: { BUNDLE: bundle, NODE_IMAGE: images.node },
    platform: Platform.LINUX_ARM64,
    exclude: [
      '*',
      '!cdk',
      '!cdk/Dockerfile',
      '!dist',
      '!dist/bundles',
      `!dist/bundles/${bundle}`,
      `!dist/bundles/${bundle}/**`,
    ],
  })

/** Ingest: one task that writes the log of minutes and the live feed. */
export class Ingest extends Construct {
  readonly task: Pick<Task<'ingest'>, 'service' | 'role' | 'definition' | 'addContainer'>

  constructor(
    scope: Construct,
    id: string,
    props: { readonly deployment: Deployment; readonly network: Network; readonly storage: Storage },
  ) {
    super(scope, id)
    const { deployment, network, storage } = props
    const { chain, startBlock, pollMs, ingest } = deployment.stage
    const task = new Task(this, 'Task', {
      deployment,
      network,
      process: 'ingest',
      bundle: 'ingest',
      environment: {
        MARKET_TABLE: storage.market.tableName,
        SEGMENT_BUCKET: storage.segments.bucketName,
        CHAIN: chain,
        PORT: String(ports.ingestHealth),
        METRICS_NAMESPACE: metricsVariable(deployment),
        POLL_MS: String(pollMs),
        // Empty: the code's default.
        START_BLOCK: choiceOf(Stack.of(this), 'startBlock', startBlock),
      },
      secrets: { RPC_URLS: Secret.fromSecretsManager(storage.rpcUrls) },
      size: ingest,
      healthPort: ports.ingestHealth,
      stopSeconds: 30,
      tasks: 1,
    })
    this.task = task
    allow(task.role, tableActions.writeInBulk, [storage.market.tableArn])
    allowObjects(task.role, storage.segments, { reads: [], writes: [objectPrefixes.segments] })
  }
}
