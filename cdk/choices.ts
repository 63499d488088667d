import { CfnCondition, CfnParameter, Fn, type Stack } from 'aws-cdk-lib'

/**
 * Options chosen once by an operator, with `-c name=value`. Each is a parameter of a stack, whose value CloudFormation
 * keeps: a deployment that does not name it changes nothing.
 */
export const choices = {
  rpcUrls: {
    stack: 'Storage',
    description:
      'RPC endpoints, comma-separated, preferred one first: JSON-RPC over https on port 443; portal+https for history',
    isSecret: true,
    isRequired: true,
  },
  alarmEmail: { stack: 'Service', description: 'Email address for alarm and budget notifications' },
  domainNames: { stack: 'Service', description: 'Custom domain names, comma-separated' },
  certificateArn: { stack: 'Service', description: 'ARN of the certificate for domainNames, in us-east-1' },
  startBlock: {
    stack: 'Service',
    description: 'Start of the history, set before the first run: 30d, 24h, a block number, or all',
  },
  webhookSecret: {
    stack: 'Service',
    description:
      'Secret shared with a payment provider: whsec_ and 24 to 64 bytes in Base64; empty: no webhooks',
    isSecret: true,
    // As in accounts/payments.ts.
    pattern: '^(whsec_[A-Za-z0-9+/]{32,86}={0,2})?$',
  },
  streamName: {
    stack: 'Service',
    description:
      'Name that ingest’s task gives itself, for the edge: stream-origin.example.org; empty: no stream',
  },
  streamZone: { stack: 'Service', description: 'Id of the hosted zone of that name' },
  marketTable: {
    stack: 'Service',
    description: 'Name of a restored Market table to use instead of the stack’s',
  },
  accessTable: {
    stack: 'Service',
    description: 'Name of a restored Access table to use instead of the stack’s',
  },
  usageTable: {
    stack: 'Service',
    description: 'Name of a restored Usage table to use instead of the stack’s',
  },
  originVersion: {
    stack: 'Service',
    description:
      'Version of the secret between edge and gateway; empty: the one that the stack was created with',
  },
  previousOriginVersion: {
    stack: 'Service',
    description: 'Version of that secret that the gateway also accepts while originVersion is rolled out',
  },
} as const satisfies Record<string, Choice>

type Choice = {
  readonly stack: 'Storage' | 'Service'
  readonly description: string
  readonly isSecret?: true
  /** The whole value matches it. */
  readonly pattern?: string
  /** Required for the first deployment. */
  readonly isRequired?: true
}
export type ChoiceName = keyof typeof choices

/** Name of a choice’s parameter: `AlarmEmail`. */
export const parameterOf = (name: ChoiceName): string => `${name[0]?.toUpperCase()}${name.slice(1)}`

/** The value of a choice in its stack; empty if not chosen. */
export const choiceOf = (stack: Stack, name: ChoiceName, fallback = ''): string =>
  parameter(stack, name, fallback).valueAsString

/** The parameter of a choice, created once in its stack. */
export function parameter(stack: Stack, name: ChoiceName, fallback = ''): CfnParameter {
  const known = stack.node.tryFindChild(parameterOf(name))
  if (known) return known as CfnParameter
  const { description, isSecret, isRequired, pattern }: Choice = choices[name]
  return new CfnParameter(stack, parameterOf(name), {
    description,
    ...(isRequired ? { minLength: 1 } : { default: fallback }),
    ...(isSecret ? { noEcho: true } : {}),
    ...(pattern ? { allowedPattern: pattern } : {}),
  })
}

/** A condition that holds if something was chosen. */
export const isChosen = (stack: Stack, name: ChoiceName, value: string): CfnCondition =>
  new CfnCondition(stack, `Has${parameterOf(name)}`, {
    expression: Fn.conditionNot(Fn.conditionEquals(value, '')),
  })

/**
 * Arguments for the CDK: `-c stage=prod -c alarmEmail=a@b.c` passes the address as a parameter of the stack Z100-prod-
 * Service.
 */
export function deployArguments(given: readonly string[]): readonly string[] {
  const stage = stageOf(given)
  const passed: string[] = []
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? ''
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(given[at + 1] ?? '') ?? []
    if (/^(-c|--context)$/.test(word) && isChoice(name)) {
      passed.push('--parameters', `Z100-${stage}-${choices[name].stack}:${parameterOf(name)}=${value}`)
      at++
    } else passed.push(word)
  }
  // Named stacks are deployed exclusively; else the service with the stacks that it needs, and not what runs beside it.
  const areNamed = given.some((word) => word.startsWith('Z100-'))
  return ['deploy', areNamed ? '--exclusively' : `Z100-${stage}-Service`, ...passed]
}

const stageOf = (given: readonly string[]): string =>
  given.find((word) => word.startsWith('stage='))?.slice('stage='.length) ?? 'dev'

/**
 * Words for the operator's program that ask, before anything is built, whether readers follow the rules of this checkout and
 * whether endpoints are known; null: the service is not deployed.
 */
export function rulesQuestion(given: readonly string[]): readonly string[] | null {
  const named = given.filter((word) => word.startsWith('Z100-'))
  const isOfService = named.length === 0 || named.some((word) => word.endsWith('-Service'))
  const urls = given.filter((word) => word.startsWith('rpcUrls=')).flatMap((word) => ['-c', word])
  return isOfService ? ['doctor', '--aws', '--rules', '--stage', stageOf(given), ...urls] : null
}

/** Prompts for the endpoints if they are not given and the terminal is interactive; an empty answer keeps the deployed ones. */
export async function withEndpoints(
  given: readonly string[],
  ask: ((question: string) => Promise<string>) | null,
): Promise<readonly string[]> {
  const isGiven = given.some((word) => word.startsWith('rpcUrls='))
  // The service stack alone has none.
  const isWithout =
    given.some((word) => /^Z100-\w+-(Service|Beside)$/.test(word)) &&
    !given.some((word) => word.endsWith('-Storage'))
  if (!ask || isGiven || isWithout) return given
  const urls = (await ask(`${choices.rpcUrls.description} (nothing: as they are deployed): `)).trim()
  return urls === '' ? given : [...given, '-c', `rpcUrls=${urls}`]
}

const isChoice = (name: string): name is ChoiceName => Object.hasOwn(choices, name)
