import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { stageSizes } from '../../schemas/deployment/stages.ts'
import { OperatorFault } from './terminal.ts'

/** One call of the AWS API: its answer, or null where the thing does not exist. An option with an empty value is a switch. */
export type AskAws = (call: string, options?: Readonly<Record<string, string>>) => Promise<AwsAnswer | null>
export type AwsAnswer = Readonly<Record<string, unknown>>

/** AWS refused a call, or the AWS CLI is not installed. */
export const awsCall = (call: string, said: string) => new OperatorFault('AwsCall', `aws ${call}: ${said}`)

const execute = promisify(execFile)
const isAbsence =
  /(NotFound|NoSuch|does not exist|NotFoundException|calling the HeadBucket operation: Not Found)/

/** Version 1 of the AWS CLI reads only AWS_DEFAULT_REGION, version 2 both, the SDK AWS_REGION. */
const regionIn = ({ AWS_REGION = 'us-east-1' }: NodeJS.ProcessEnv) => ({
  AWS_REGION,
  AWS_DEFAULT_REGION: AWS_REGION,
})

/** Calls through the AWS CLI, which finds credentials as the SDK does. Rejects with AwsCall. */
export const askByCli =
  (environment: NodeJS.ProcessEnv): AskAws =>
  async (call, options = {}) => {
    const named = Object.entries(options).flatMap(([name, value]) =>
      value === '' ? [`--${name}`] : [`--${name}`, value],
    )
    try {
      const { stdout } = await execute('aws', [...call.split(' '), ...named, '--output', 'json'], {
        env: { ...regionIn(environment), ...environment },
        maxBuffer: 16 * 2 ** 20,
      })
      return stdout.trim() === '' ? {} : (JSON.parse(stdout) as AwsAnswer)
    } catch (error) {
      const { stderr, message } = error as Error & { readonly stderr?: string }
      const said = stderr?.trim() || message
      if (isAbsence.test(said)) return null
      throw awsCall(call, said)
    }
  }

/** A list in an answer; empty where there is none. */
export const listIn = (answer: AwsAnswer | null, name: string): readonly AwsAnswer[] =>
  (answer?.[name] ?? []) as readonly AwsAnswer[]
/** The value at a path of names, as text; empty where there is none. */
export const awsText = (value: unknown, ...path: readonly string[]): string =>
  String(path.reduce<unknown>((inner, name) => (inner as AwsAnswer | undefined)?.[name], value) ?? '')

/** A stage in an account. */
export type DeployedStage = { readonly aws: AskAws; readonly stage: keyof typeof stageSizes }
/** A stack of a stage. */
export type StackPart = 'Copies' | 'Storage' | 'Service' | 'Beside'

/** A stack as CloudFormation describes it; null: it does not exist. */
export async function stackOf({ aws, stage }: DeployedStage, part: StackPart): Promise<AwsAnswer | null> {
  const region = part === 'Copies' ? stageSizes[stage].copiesRegion : null
  const found = await aws('cloudformation describe-stacks', {
    ...(region && { region }),
    'stack-name': `Z100-${stage}-${part}`,
  })
  return listIn(found, 'Stacks')[0] ?? null
}

/** An output of a stack; empty: none. */
export async function outputOf(at: DeployedStage, part: StackPart, name: string): Promise<string> {
  const outputs = listIn(await stackOf(at, part), 'Outputs')
  const output = outputs.find(({ OutputKey }) => OutputKey === name)
  return awsText(output, 'OutputValue')
}

/** Physical ids of a stack's resources of a type. */
export const idsIn = async (at: DeployedStage, part: StackPart, type: string): Promise<readonly string[]> =>
  (await resourcesIn(at, part, type)).map((each) => awsText(each, 'PhysicalResourceId'))

/** A stack's resources of a type, as CloudFormation lists them. */
export async function resourcesIn(
  { aws, stage }: DeployedStage,
  part: StackPart,
  type: string,
): Promise<readonly AwsAnswer[]> {
  // The CLI reads all pages of this call. describe-stack-resources has one, of 100: Service has twice as many.
  const found = await aws('cloudformation list-stack-resources', { 'stack-name': `Z100-${stage}-${part}` })
  return listIn(found, 'StackResourceSummaries').filter(({ ResourceType }) => ResourceType === type)
}

/** Copies of a table in an answer of AWS Backup that can be restored, newest first: whole ones, which are not being removed. */
export const copiesIn = (answer: AwsAnswer | null, table: string): readonly AwsAnswer[] =>
  listIn(answer, 'RecoveryPoints')
    .filter((point) => awsText(point, 'ResourceArn').endsWith(`:table/${table}`))
    .filter((point) => /^(COMPLETED|AVAILABLE)$/.test(awsText(point, 'Status')))
    .sort((a, b) => madeAt(b) - madeAt(a))

/** When a copy was made, in Unix ms. */
export const madeAt = (copy: AwsAnswer): number => Date.parse(awsText(copy, 'CreationDate'))
