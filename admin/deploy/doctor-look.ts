import { awsText, type DeployedStage, listIn, outputOf, resourcesIn, stackOf } from '../base/aws-cli.ts'
import type { Fault } from './findings.ts'
import type { AskHttp } from './strangers.ts'

/** Inputs of the checks. */
export type Surroundings = DeployedStage & {
  readonly http: AskHttp
  /** Of the environment; empty: none. */
  readonly region: string
  /** Options of the deployment by their names after `-c`; absent ones stay as deployed before. */
  readonly choices: Readonly<Record<string, string>>
  /** Unix seconds. */
  readonly now: number
  /** What `aws --version` prints. */
  readonly cli: string
  /** This checkout's rules and layout, as publishers are registered. */
  readonly publisher: string
  /** Platform of the tasks. */
  readonly image: { readonly version: string; readonly releasedAt: string }
}

/** One check; null: no problem. */
export type Check = (at: Surroundings) => Promise<Fault | null>

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

/** The stack's own table whose logical id begins so. */
export async function tableIn(at: Surroundings, logical: string): Promise<string> {
  const tables = await resourcesIn(at, 'Storage', 'AWS::DynamoDB::Table')
  const found = tables.find((each) => awsText(each, 'LogicalResourceId').startsWith(logical))
  return awsText(found, 'PhysicalResourceId')
}

/** The Market table in use: a restored one, or the stack's own. */
export const marketTable = async (at: Surroundings): Promise<string> =>
  (await chosenOf(at, 'marketTable')) || tableIn(at, 'MarketTable')

/** The parts of a comma-separated list. */
export const split = (text: string): readonly string[] => text.split(',').filter((part) => part !== '')

/** Where the deployment is reached. */
export const serviceAddress = (at: Surroundings): Promise<string> => outputOf(at, 'Service', 'Address')
