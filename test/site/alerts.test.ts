import { expect, it } from 'vitest'
import type { TokenSummary } from '../../clients/typescript/index.ts'
import { type Alert, judgeAlerts } from '../../site/browser/base/alerts.ts'

const token = `0x${'a'.repeat(40)}`
const rowWith = (figures: Partial<TokenSummary>) =>
  ({ token_address: token, symbol: 'lisbon', price_usd: null, change_24h: null, ...figures }) as TokenSummary
const alert = { token, figure: 'price', isAbove: true, value: 0.01, isTold: false } as const satisfies Alert

it('an alert is told once each time that its bound is passed', () => {
  const told: string[][] = []
  let alerts: readonly Alert[] = [alert, { ...alert, figure: 'change', isAbove: false, value: -20 }]
  for (const figures of [
    { price_usd: 0.01 },
    { price_usd: 0.0123 },
    // What is unknown passes nothing, and takes nothing back.
    { price_usd: null },
    { price_usd: 0.02, change_24h: -20.5 },
    { price_usd: 0.009, change_24h: -1 },
    { price_usd: 0.011 },
  ]) {
    const judged = judgeAlerts(alerts, [rowWith(figures)])
    alerts = judged.alerts
    told.push([...judged.told])
  }
  expect(told).toEqual([
    [],
    ['lisbon: Price above $0.0100, now $0.0123'],
    [],
    ['lisbon: Change 24 h below −20.0%, now −20.5%'],
    [],
    ['lisbon: Price above $0.0100, now $0.0110'],
  ])
})

it('an alert waits for a token that no answer has', () => {
  expect(judgeAlerts([alert], [])).toEqual({ alerts: [alert], told: [] })
})
