import type { stageSizes } from '../schemas/stages.ts'
import { type AskAws, type AwsAnswer, awsText, listIn } from './aws-cli.ts'

/** What is asked of the world outside AWS: the status of an answer, and its text. */
export type AskHttp = (
  url: string,
  sent?: { readonly body?: string },
) => Promise<{ readonly status: number; readonly text: string }>

export type Surroundings = {
  readonly aws: AskAws
  readonly http: AskHttp
  readonly stage: keyof typeof stageSizes
  /** As the environment names it; empty: it does not. */
  readonly region: string
  /** What a deployment will be given, by the names after `-c`; what is not here is as it was deployed before. */
  readonly choices: Readonly<Record<string, string>>
  /** Unix seconds. */
  readonly now: number
}

/** Something that is not as it has to be, and what to do about it. */
export type Fault = { readonly what: string; readonly todo: string }

/** One look; null: it is as it has to be. */
export type Check = (at: Surroundings) => Promise<Fault | null>

/** Something to be said. */
export const fault = (what: string, todo: string): Fault => ({ what, todo })

type Account = Pick<Surroundings, 'aws' | 'stage'>

/** A stack of the stage; null: it is not there. */
export async function stackOf({ aws, stage }: Account, part: string): Promise<AwsAnswer | null> {
  const found = await aws('cloudformation describe-stacks', { 'stack-name': `Z100-${stage}-${part}` })
  return listIn(found, 'Stacks')[0] ?? null
}

/** What a stack says of itself by this name; empty where it says nothing. */
export async function outputOf(at: Account, part: string, name: string): Promise<string> {
  const outputs = listIn(await stackOf(at, part), 'Outputs')
  const output = outputs.find(({ OutputKey }) => OutputKey === name)
  return awsText(output, 'OutputValue')
}

/** Physical ids of what a stack has made of a type. */
export const listed = async (at: Surroundings, part: string, type: string): Promise<readonly string[]> => {
  const found = await at.aws('cloudformation describe-stack-resources', {
    'stack-name': `Z100-${at.stage}-${part}`,
  })
  return listIn(found, 'StackResources')
    .filter((each) => each['ResourceType'] === type)
    .map((each) => awsText(each, 'PhysicalResourceId'))
}

/** What was chosen of the service: now, or in the deployment that stands. */
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

/** The parts of a list with commas. */
export const split = (text: string): readonly string[] => text.split(',').filter((part) => part !== '')

/** Where the deployment is reached. */
export const serviceAddress = (at: Surroundings): Promise<string> => outputOf(at, 'Service', 'Address')
