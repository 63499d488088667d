/** List prices in us-east-1, US dollars, as of this day. Check them before a decision hangs on them. */
export const PRICES_OF = '2026-11-21'

export const prices = {
  /** Of ARM. */
  fargateVcpuHour: 0.03238,
  fargateGbHour: 0.00356,
  publicIpv4Hour: 0.005,
  balancerHour: 0.0225,
  balancerUnitHour: 0.008,
  /** Of ARM. */
  lambdaGbSecond: 0.0000133334,
  lambdaRequest: 0.2e-6,
  tableWriteUnit: 0.625e-6,
  /** Of a strong read; an eventual one is half. */
  tableReadUnit: 0.125e-6,
  /** With the backups of point-in-time recovery. */
  tableGbMonth: 0.45,
  objectPut: 5e-6,
  objectGet: 0.4e-6,
  objectGbMonth: 0.023,
  gatewayRequest: 3.5e-6,
  edgeRequest: 1e-6,
  edgeFreeRequests: 10e6,
  edgeGb: 0.085,
  edgeFreeGb: 1_000,
  edgeFunction: 0.1e-6,
  edgeKeyRead: 0.03e-6,
  edgeFreeFunctions: 2e6,
  logGb: 0.5,
  alarmMonth: 0.1,
  metricMonth: 0.3,
  dashboardMonth: 3,
  secretMonth: 0.4,
  firewallMonth: 6,
  firewallRequest: 0.6e-6,
} as const
