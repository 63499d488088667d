/**
 * `npm run cost`: prints the monthly costs of the stages for cdk/README.md; `-- --write` writes them there; `-- --abuse` prints
 * what strangers can cost in a day instead.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stages } from '../config.ts'
import { abuseTable } from './abuse.ts'
import { costTexts } from './cost-table.ts'
import { PRICES_OF } from './prices.ts'

const path = join(import.meta.dirname, '../README.md')
const texts = Object.entries(costTexts())
if (process.argv.includes('--write')) {
  const marked = (readme: string, [mark, text]: readonly [string, string]): string =>
    readme.replace(
      new RegExp(`(<!-- ${mark} -->)[\\s\\S]*?(<!-- /${mark} -->)`),
      (_, begin: string, end: string) => `${begin}\n\n${text}\n\n${end}`,
    )
  writeFileSync(path, texts.reduce(marked, readFileSync(path, 'utf8')))
}
if (process.argv.includes('--abuse')) {
  process.stdout.write(`US dollars a day that strangers can cost, us-east-1, list prices of ${PRICES_OF}\n`)
  for (const [name, stage] of Object.entries(stages))
    process.stdout.write(`\n${name}\n\n${abuseTable(stage)}\n`)
} else {
  process.stdout.write(`US dollars a month, us-east-1, list prices of ${PRICES_OF}\n`)
  for (const [mark, text] of texts) process.stdout.write(`\n${mark}\n\n${text}\n`)
}
