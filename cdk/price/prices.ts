/** Date of these list prices in us-east-1, in US dollars. Check them before relying on them. */
export const PRICES_OF = '2026-11-21'
export const prices = {
  /** For ARM, as for functions. */
  fargateVcpuHour: 0.03238,
  fargateGbHour: 0.00356,
  /** Spot price as a share of Fargate's; it varies with demand, and has been a third. */
  spotShare: 0.4,
  publicIpv4Hour: 0.005,
  balancerHour: 0.0225,
  balancerUnitHour: 0.008,
  lambdaGbSecond: 0.0000133334,
  lambdaRequest: 0.2e-6,
  /** Free per account, like all free amounts here. */
  lambdaFreeGbSeconds: 400_000,
  tableWriteUnit: 0.625e-6,
  /** For a strong read; an eventual one is half. */
  tableReadUnit: 0.125e-6,
  tableGbMonth: 0.25,
  tableFreeGb: 25,
  /** Point-in-time recovery, per GB of a table. */
  recoveryGbMonth: 0.2,
  objectPut: 5e-6,
  objectGet: 0.4e-6,
  objectGbMonth: 0.023,
  gatewayRequest: 3.5e-6,
  edgeRequest: 1e-6,
  edgeFreeRequests: 10e6,
  /** Bytes to readers in the United States and Europe, per GB, by monthly volume; the first are free. */
  edgeGbTiers: [
    { upToGb: 1_000, perGb: 0 },
    { upToGb: 10_240, perGb: 0.085 },
    { upToGb: 51_200, perGb: 0.08 },
    { upToGb: 153_600, perGb: 0.06 },
    { upToGb: Number.POSITIVE_INFINITY, perGb: 0.04 },
  ],
  edgeFunction: 0.1e-6,
  edgeKeyRead: 0.03e-6,
  edgeKeyWrite: 1e-3,
  edgeFreeFunctions: 2e6,
  logGb: 0.5,
  alarmMonth: 0.1,
  freeAlarms: 10,
  freeMetrics: 10,
  metricMonth: 0.3,
  secretMonth: 0.4,
  /** In a vault, and transfer between regions. */
  backupGbMonth: 0.1,
  betweenRegionsGb: 0.02,
  /** CloudFront’s flat-rate plan of 125M requests and 50 TB, with a firewall. */
  businessPlanMonth: 200,
  /** 60 compute units a call, at $0.45 a million. */
  endpointMillionCalls: 27,
  hostedZoneMonth: 0.5,
  firewallMonth: 5,
  firewallRuleMonth: 1,
  firewallRequest: 0.6e-6,
} as const
