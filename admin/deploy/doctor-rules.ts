import { type Key, marketKeys } from '../../store/aws/tables.ts'
import { type Live, nothingLive, type PublisherProgress } from '../../store/log/logs.ts'
import { awsText, stackOf } from '../base/aws-cli.ts'
import { type Check, marketTable, type Surroundings } from './doctor-look.ts'
import { fault } from './findings.ts'
import { leftOf } from './rules.ts'

/** An item of the register of logs; undefined: there is none. */
async function registered<T>(at: Surroundings, { pk, sk }: Key): Promise<T | undefined> {
  const found = await at.aws('dynamodb get-item', {
    'consistent-read': '',
    'table-name': await marketTable(at),
    key: JSON.stringify({ pk: { S: pk }, sk: { S: sk } }),
  })
  const content = awsText(found, 'Item', 'content', 'S')
  return content === '' ? undefined : (JSON.parse(content) as T)
}

const progressOf = (at: Surroundings, publisher: string) =>
  registered<PublisherProgress>(at, marketKeys.publisher(publisher))

const liveOf = async (at: Surroundings): Promise<Live> =>
  (await registered<Live>(at, marketKeys.live)) ?? nothingLive

/** Whether readers follow the rules of this checkout, which may then be deployed, and what catches up beside them. */
export const rulesChecks: Readonly<Record<string, Check>> = {
  async rules(at) {
    const { stage, publisher: own } = at
    const { publisher, past } = await liveOf(at)
    if (publisher === '' || publisher === own) return null
    if (past.includes(own))
      return fault(
        `readers were sent back from this release (${own}) to ${publisher}`,
        `deploy the release of ${publisher}; or go forth again: npm run admin -- --aws rules ${own}`,
      )
    const [mine, theirs] = [await progressOf(at, own), await progressOf(at, publisher)]
    const isBeside = (await stackOf(at, 'Beside')) !== null
    const left = mine ? leftOf(mine, theirs?.minute ?? 0) : 'it has not begun to follow its log'
    return fault(
      `this release (${own}) has not caught up with ${publisher}, which readers follow${isBeside ? `: ${left}` : ''}`,
      isBeside
        ? `wait: Z100-${stage}-Beside runs it; npm run admin -- --aws rules shows how far it is`
        : `let it catch up beside the service first: npm run deploy -- Z100-${stage}-Beside -c stage=${stage}`,
    )
  },
  async beside(at) {
    const { stage, publisher } = at
    if (!(await stackOf(at, 'Beside')) || (await liveOf(at)).publisher !== publisher) return null
    return fault(
      `Z100-${stage}-Beside still runs, and readers follow its release`,
      `deploy this release if it is not, then: npm run destroy -- Z100-${stage}-Beside -c stage=${stage}`,
    )
  },
}
