/** `npm run cost`: what a stage costs a month (`-- dev`; prod otherwise), as cdk/README.md has it. */
import { stages } from './config.ts'
import { costTable, PRICES_OF } from './cost.ts'

const [name = 'prod'] = process.argv.slice(2)
if (!Object.hasOwn(stages, name)) throw new Error(`there are the stages ${Object.keys(stages).join(', ')}`)
process.stdout.write(
  `${name}, US dollars a month, us-east-1, list prices of ${PRICES_OF}\n\n${costTable(stages[name as keyof typeof stages])}\n`,
)
