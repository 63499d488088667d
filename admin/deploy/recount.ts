/** `admin recount`: counts the batches of the edge's log that could not be counted and wait in their queue. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Option } from 'commander'
import { stageSizes } from '../../schemas/deployment/stages.ts'
import { askByCli, awsText, type DeployedStage, listIn, resourcesIn } from '../base/aws-cli.ts'
import { type CommandCall, type CommandGroup, commandOf, type ExitCode, sayResult } from '../base/command.ts'
import { OperatorFault } from '../base/terminal.ts'

/** Seconds for which a message that is being counted is hidden from others; one that fails comes back after them. */
const HIDDEN_SECONDS = '300'

async function named(at: DeployedStage, type: string, begins: string): Promise<string> {
  const found = (await resourcesIn(at, 'Service', type)).find((each) =>
    awsText(each, 'LogicalResourceId').startsWith(begins),
  )
  if (!found) throw new OperatorFault('NothingToCount', `Z100-${at.stage}-Service has no ${begins}`)
  return awsText(found, 'PhysicalResourceId')
}

/** Gives each message to the function as it is, and removes it once it is counted. Counting one twice is harmless. */
export async function recount(at: DeployedStage): Promise<{ counted: number; failed: number }> {
  const queue = { 'queue-url': await named(at, 'AWS::SQS::Queue', 'EdgeUsageUncounted') }
  const counter = await named(at, 'AWS::Lambda::Function', 'EdgeUsageCount')
  const folder = await mkdtemp(join(tmpdir(), 'z100-recount-'))
  const body = join(folder, 'batch.json')
  let [counted, failed] = [0, 0]
  try {
    for (;;) {
      const asked = { ...queue, 'visibility-timeout': HIDDEN_SECONDS, 'max-number-of-messages': '10' }
      const messages = listIn(await at.aws('sqs receive-message', asked), 'Messages')
      if (messages.length === 0) return { counted, failed }
      for (const message of messages) {
        await writeFile(body, awsText(message, 'Body'))
        // The function's own answer is empty.
        const said = await at.aws('lambda invoke /dev/null', {
          'function-name': counter,
          payload: `fileb://${body}`,
        })
        if (!said || said['FunctionError']) failed++
        else {
          await at.aws('sqs delete-message', {
            ...queue,
            'receipt-handle': awsText(message, 'ReceiptHandle'),
          })
          counted++
        }
      }
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Options = { readonly stage: DeployedStage['stage']; readonly aws: boolean }

async function runRecount(call: CommandCall<Options>): Promise<ExitCode> {
  const { stage, aws } = call.options
  if (!aws) throw new OperatorFault('NothingToCount', 'a local run counts at once: use --aws')
  const found = await recount({ aws: askByCli(process.env), stage })
  sayResult(
    call,
    found,
    `${found.counted} batches were counted, ${found.failed} failed and stay in the queue`,
  )
  return found.failed > 0 ? 1 : 0
}

export const groups: readonly CommandGroup[] = [
  {
    name: null,
    description: 'What was not counted',
    commands: [
      commandOf<Options>({
        usage: 'recount',
        description: "With --aws: counts the batches of the edge's log that could not be counted.",
        options: [
          new Option('--stage <stage>', 'stage of the service')
            .choices(Object.keys(stageSizes))
            .default('dev'),
        ],
        run: runRecount,
      }),
    ],
  },
]
