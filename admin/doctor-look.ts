import type { stageSizes } from '../schemas/stages.ts'
import { type AskAws, type AwsAnswer, awsText, listIn } from './aws-cli.ts'

/** An HTTP request outside the AWS API: the status and text of its answer. */
export type AskHttp = (
  url: string,
  sent?: { readonly body?: string },
) => Promise<{ readonly status: number; readonly text: string }>

export type Surroundings = {
  readonly aws: AskAws
  readonly http: AskHttp
  readonly stage: keyof typeof stageSizes
  /** Of the environment; empty: none. */
  readonly region: string
  /** Options of the deployment by their names after `-c`; absent ones stay as deployed before. */
  readonly choices: Readonly<Record<string, string>>
  /** Unix seconds. */
  readonly now: number
}

/** A problem and its remedy. */
export type Fault = { readonly what: string; readonly todo: string }

/** One check; null: no problem. */
export type Check = (at: Surroundings) => Promise<Fault | null>

export const fault = (what: string, todo: string): Fault => ({ what, todo })

type Account = Pick<Surroundings, 'aws' | 'stage'>

/** A stack of the stage; null: it does not exist. */
export async function stackOf({ aws, stage }: Account, part: string): Promise<AwsAnswer | null> {
  const found = await aws('cloudformation describe-stacks', { 'stack-name': `Z100-${stage}-${part}` })
  return listIn(found, 'Stacks')[0] ?? null
}

/** An output of a stack; empty: none. */
export async function outputOf(at: Account, part: string, name: string): Promise<string> {
  const outputs = listIn(await stackOf(at, part), 'Outputs')
  const output = outputs.find(({ OutputKey }) => OutputKey === name)
  return awsText(output, 'OutputValue')
}

/** Physical ids of a stack's resources of a type. */
export const listed = async (at: Surroundings, part: string, type: string): Promise<readonly string[]> => {
  const found = await at.aws('cloudformation describe-stack-resources', {
    'stack-name': `Z100-${at.stage}-${part}`,
  })
  return listIn(found, 'StackResources')
    .filter((each) => each['ResourceType'] === type)
    .map((each) => awsText(each, 'PhysicalResourceId'))
}

/** An option of the service: as given now, or as deployed. */
export async function chosenOf(at: Surroundings, name: string): Promise<string> {
  const now = at.choices[name]
  if (now !== undefined) return now
  const parameters = listIn(await stackOf(at, 'Service'), 'Parameters')
  const key = `${name[0]?.toUpperCase()}${name.slice(1)}`
  return awsText(
    parameters.find(({ ParameterKey }) => ParameterKey === key),
    'ParameterValue',
  )
}

/** The parts of a comma-separated list. */
export const split = (text: string): readonly string[] => text.split(',').filter((part) => part !== '')

/** Where the deployment is reached. */
export const serviceAddress = (at: Surroundings): Promise<string> => outputOf(at, 'Service', 'Address')
