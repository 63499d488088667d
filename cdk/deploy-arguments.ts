import { type ChoiceName, choices, parameterOf } from './choices.ts'

/** What the CDK is called with: `-c stage=prod -c alarmEmail=a@b.c` has the address as a parameter of the stack Z100-prod-Service. */
export function deployArguments(given: readonly string[]): readonly string[] {
  const stage = given.find((word) => word.startsWith('stage='))?.slice('stage='.length) ?? 'dev'
  const passed: string[] = []
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? ''
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(given[at + 1] ?? '') ?? []
    if (/^(-c|--context)$/.test(word) && isChoice(name)) {
      passed.push('--parameters', `Z100-${stage}-${choices[name].stack}:${parameterOf(name)}=${value}`)
      at++
    } else passed.push(word)
  }
  // Stacks that are named are deployed alone.
  const areNamed = given.some((word) => word.startsWith('Z100-'))
  return ['deploy', ...(areNamed ? ['--exclusively'] : ['--all']), ...passed]
}

const isChoice = (name: string): name is ChoiceName => Object.hasOwn(choices, name)
