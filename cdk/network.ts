import { GatewayVpcEndpointAwsService, type IVpc, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2'
import { Cluster, ContainerInsights, type ICluster } from 'aws-cdk-lib/aws-ecs'
import { Construct } from 'constructs'
import { acknowledge } from './acknowledge.ts'

/**
 * Where tasks run. They stand in public subnets with addresses of their own, which cost less than a NAT gateway and carry
 * more; security groups let nothing in to them but the load balancer. Tables and buckets are reached without leaving AWS.
 */
export class Network extends Construct {
  readonly vpc: IVpc
  readonly cluster: ICluster

  constructor(scope: Construct, id: string) {
    super(scope, id)
    const vpc: unknown = new Vpc(this, 'Vpc', {
      maxAzs: 2,
      natGateways: 0,
      restrictDefaultSecurityGroup: false,
      subnetConfiguration: [
        { name: 'tasks', subnetType: SubnetType.PUBLIC, cidrMask: 24 },
        // CloudFront reaches a load balancer only in private subnets.
        { name: 'balancer', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 26 },
      ],
      gatewayEndpoints: {
        s3: { service: GatewayVpcEndpointAwsService.S3 },
        dynamodb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      },
    })
    // The CDK's classes are not their interfaces where optional properties are exact.
    this.vpc = vpc as IVpc
    acknowledge(this.vpc, {
      VPC7: 'Logs of flows would cost more than the tasks; readers are counted by the stream itself, without their addresses.',
    })
    const cluster: unknown = new Cluster(this, 'Cluster', {
      vpc: this.vpc,
      containerInsightsV2: ContainerInsights.DISABLED,
    })
    this.cluster = cluster as ICluster
    acknowledge(this.cluster, { ECS4: 'The tasks tell their own metrics; alarms are set on those.' })
  }
}
