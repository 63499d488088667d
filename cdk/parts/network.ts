import { Aws, Stack } from 'aws-cdk-lib'
import { type CfnSubnet, GatewayVpcEndpointAwsService, type IVpc, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2'
import { type CfnCluster, Cluster, ContainerInsights, type ICluster } from 'aws-cdk-lib/aws-ecs'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources'
import { Construct } from 'constructs'
import { type Deployment, zoneIds } from '../config.ts'
import { acknowledge } from '../grants.ts'
import { serviceLog } from './functions.ts'

/**
 * The tasks' network. Tasks are in public subnets with their own addresses, which costs less than a NAT gateway and
 * carries more; security groups admit only the load balancer. Tables and buckets are reached without leaving AWS.
 */
export class Network extends Construct {
  readonly vpc: IVpc
  readonly cluster: ICluster

  constructor(scope: Construct, id: string, deployment: Deployment) {
    super(scope, id)
    const vpc: unknown = new Vpc(this, 'Vpc', {
      maxAzs: zoneIds.length,
      natGateways: 0,
      restrictDefaultSecurityGroup: false,
      subnetConfiguration: [
        { name: 'tasks', subnetType: SubnetType.PUBLIC, cidrMask: 24 },
        // CloudFront's VPC origins require private subnets for the load balancer.
        { name: 'balancer', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 26 },
      ],
      gatewayEndpoints: {
        s3: { service: GatewayVpcEndpointAwsService.S3 },
        dynamodb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      },
    })
    // The CDK's classes do not match their interfaces under exactOptionalPropertyTypes.
    this.vpc = vpc as IVpc
    placeInZones(this.vpc)
    acknowledge(this.vpc, {
      VPC7: 'Logs of flows would cost more than the tasks; readers are counted by the stream itself, without their addresses.',
    })
    const cluster: unknown = new Cluster(this, 'Cluster', {
      vpc: this.vpc,
      containerInsightsV2: ContainerInsights.DISABLED,
    })
    this.cluster = cluster as ICluster
    const { areTasksSpot } = deployment.stage
    const resource = this.cluster.node.defaultChild as CfnCluster
    if (areTasksSpot) resource.capacityProviders = ['FARGATE', 'FARGATE_SPOT']
    this.cluster.node.addDependency(ecsServiceRole(this, deployment))
    acknowledge(this.cluster, { ECS4: 'The tasks tell their own metrics; alarms are set on those.' })
  }
}

/** By zone id, instead of the CDK's choice by letter. */
function placeInZones({ publicSubnets, isolatedSubnets }: IVpc): void {
  for (const subnets of [publicSubnets, isolatedSubnets]) {
    for (const [at, subnet] of subnets.entries()) {
      const resource = subnet.node.defaultChild as CfnSubnet
      resource.addPropertyDeletionOverride('AvailabilityZone')
      resource.addPropertyOverride('AvailabilityZoneId', zoneIds[at])
    }
  }
}

/**
 * ECS's service-linked role for an account's network. ECS creates it with the account's first cluster, which sometimes
 * fails because the role is not usable yet. CloudFormation's own resource for it fails if the role exists.
 */
function ecsServiceRole(scope: Construct, deployment: Deployment): AwsCustomResource {
  const name = 'ecs.amazonaws.com'
  const arn = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/aws-service-role/${name}/AWSServiceRoleForECS`
  const call = {
    service: 'IAM',
    action: 'CreateServiceLinkedRole',
    parameters: { AWSServiceName: name },
    // The role exists.
    ignoreErrorCodesMatching: 'InvalidInput',
    physicalResourceId: PhysicalResourceId.of(name),
  }
  const made = new AwsCustomResource(scope, 'EcsServiceRole', {
    onCreate: call,
    installLatestAwsSdk: false,
    logGroup: serviceLog(scope, 'EcsServiceRoleLog', deployment),
    policy: AwsCustomResourcePolicy.fromStatements([
      new PolicyStatement({ actions: ['iam:CreateServiceLinkedRole'], resources: [arn] }),
    ]),
  })
  const caller = Stack.of(scope).node.findChild(
    `AWS${AwsCustomResource.PROVIDER_FUNCTION_UUID.replaceAll('-', '')}`,
  )
  const reason = 'The function of the CDK that makes one call of AWS, as the CDK makes it.'
  acknowledge(caller, {
    'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]': reason,
    L1: reason,
  })
  return made
}
