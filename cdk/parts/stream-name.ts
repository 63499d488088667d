import { Arn, ArnFormat, Stack } from 'aws-cdk-lib'
import {
  Capability,
  type ContainerDefinition,
  ContainerDependencyCondition,
  ContainerImage,
  LinuxParameters,
  LogDriver,
} from 'aws-cdk-lib/aws-ecs'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { choiceOf } from '../choices.ts'
import { type Deployment, images } from '../config.ts'
import { acknowledgeWildcard } from '../grants.ts'
import { serviceLog } from './functions.ts'
import type { Ingest } from './tasks.ts'

/** Seconds for which the edge may use an address after the task has moved. */
const NAME_SECONDS = 60

/**
 * Sets the name to the address that the task has from outside, which only its network interface tells, and ends. Without a name
 * it does nothing.
 */
const SCRIPT = `set -eu
[ -n "$STREAM_NAME" ] || exit 0
inside=$(curl -fsS "$ECS_CONTAINER_METADATA_URI_V4" | sed -n 's/.*"IPv4Addresses":\\["\\([0-9.]*\\)".*/\\1/p')
[ -n "$inside" ] || { echo 'The task does not know its own address.' >&2; exit 1; }
address=$(aws ec2 describe-network-interfaces --filters "Name=private-ip-address,Values=$inside" "Name=vpc-id,Values=$VPC" --query 'NetworkInterfaces[0].Association.PublicIp' --output text)
[ "$address" != None ] || { echo "$inside has no address from outside." >&2; exit 1; }
aws route53 change-resource-record-sets --hosted-zone-id "$STREAM_ZONE" --change-batch "{\\"Changes\\":[{\\"Action\\":\\"UPSERT\\",\\"ResourceRecordSet\\":{\\"Name\\":\\"$STREAM_NAME\\",\\"Type\\":\\"A\\",\\"TTL\\":${NAME_SECONDS},\\"ResourceRecords\\":[{\\"Value\\":\\"$address\\"}]}}]}"`

/** A container of ingest's task that gives the stream its name as soon as the stream answers: a task that never does leaves the name with the one before. */
export function addNamer(
  scope: Construct,
  { definition, service, stream }: Ingest['task'] & { readonly stream: ContainerDefinition },
  deployment: Deployment,
): void {
  const stack = Stack.of(scope)
  // A right needs a resource, also while none was chosen.
  const zone = choiceOf(stack, 'streamZone', 'none')
  const { vpc } = service.cluster
  const namer = definition.addContainer('name', {
    linuxParameters: new LinuxParameters(scope, 'NameRights'),
    image: ContainerImage.fromRegistry(images.awsCli),
    entryPoint: ['sh', '-c'],
    command: [SCRIPT],
    environment: { STREAM_NAME: choiceOf(stack, 'streamName'), STREAM_ZONE: zone, VPC: vpc.vpcId },
    essential: false,
    readonlyRootFilesystem: true,
    logging: LogDriver.awsLogs({ logGroup: serviceLog(scope, 'NameLog', deployment), streamPrefix: 'name' }),
  })
  namer.linuxParameters?.dropCapabilities(Capability.ALL)
  namer.addContainerDependencies({ container: stream, condition: ContainerDependencyCondition.HEALTHY })
  const names = Arn.format(
    {
      service: 'route53',
      region: '',
      account: '',
      resource: 'hostedzone',
      resourceName: zone,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    },
    stack,
  )
  for (const statement of [
    { actions: ['ec2:DescribeNetworkInterfaces'], resources: ['*'] },
    { actions: ['route53:ChangeResourceRecordSets'], resources: [names] },
  ])
    definition.taskRole.addToPrincipalPolicy(new PolicyStatement(statement))
  acknowledgeWildcard(definition.taskRole, '*', 'AWS names no resource for describing network interfaces.')
}
