/** Bounds on watched tokens: what they can be set on, and when one is passed. */
import type { TokenSummary } from '../../../clients/typescript/index.ts'
import { dollars, percentLabel } from './format.ts'

type Figure = readonly [
  label: string,
  value: (row: TokenSummary) => number | null,
  text: (value: number) => string,
]

/** What a bound can be set on. */
export const alertFigures = {
  price: ['Price, $', (row) => row.price_usd, (value) => dollars(value)],
  change: ['Change 24 h, %', (row) => row.change_24h, percentLabel],
  volume: ['Volume 24 h, $', (row) => row.volume_24h, (value) => dollars(value)],
  rank: ['Rank on its board', (row) => row.z100_rank, String],
  holders: ['Holders', (row) => row.unique_holders, String],
} as const satisfies Readonly<Record<string, Figure>>
export type AlertFigure = keyof typeof alertFigures

/** A bound; `isTold`: it is passed, and that was told. */
export type Alert = {
  readonly token: string
  readonly figure: AlertFigure
  readonly isAbove: boolean
  readonly value: number
  readonly isTold: boolean
}

/** Whether what was stored is a bound. */
export function isAlert(value: unknown): value is Alert {
  const { token, figure, isAbove, value: bound, isTold } = (value ?? {}) as Partial<Alert>
  return (
    typeof token === 'string' &&
    Object.hasOwn(alertFigures, figure ?? '') &&
    [isAbove, isTold].every((flag) => typeof flag === 'boolean') &&
    Number.isFinite(bound)
  )
}

/** The bounds as they are after these rows, and those that were passed just now, each in words. */
export function judgeAlerts(
  all: readonly Alert[],
  rows: readonly TokenSummary[],
): { readonly alerts: readonly Alert[]; readonly told: readonly string[] } {
  const byToken = new Map(rows.map((row) => [row.token_address.toLowerCase(), row]))
  const told: string[] = []
  const judged = all.map((alert) => {
    const row = byToken.get(alert.token)
    const value = row ? alertFigures[alert.figure][1](row) : null
    if (!row || value === null) return alert
    const isPassed = alert.isAbove ? value > alert.value : value < alert.value
    if (isPassed && !alert.isTold)
      told.push(`${row.symbol}: ${alertText(alert)}, now ${alertFigures[alert.figure][2](value)}`)
    return { ...alert, isTold: isPassed }
  })
  return { alerts: judged, told }
}

/** A bound in words. */
export function alertText({ figure, isAbove, value }: Alert): string {
  const [label, , text] = alertFigures[figure]
  return `${label.replace(/, .*/, '')} ${isAbove ? 'above' : 'below'} ${text(value)}`
}
