import { type AlarmMetric, type AlarmRow, none } from './alarm-row.ts'

const ofRates = {
  service: 'rebuild-snapshots',
  level: none,
  times: 1,
  runbook: 'A bad reference price',
} as const

/** What depends on the markets that reference rates come from. */
export const rateAlarms = {
  PriceHeld: { ...ofRates, metric: 'HeldRates', statistic: 'Maximum', minutes: 1 },
  RateShallow: { ...ofRates, metric: 'ShallowRates', statistic: 'Minimum', minutes: 5 },
  RateLone: { ...ofRates, metric: 'LoneRates', statistic: 'Minimum', minutes: 60 },
  SourceMute: { ...ofRates, metric: 'MuteSources', statistic: 'Minimum', minutes: 60, times: 24 },
} as const satisfies Record<string, AlarmRow & AlarmMetric>
