/** The stacks of a stage, synthesised in this process without an account, Docker or network. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { App, Validations } from 'aws-cdk-lib'
import { expect } from 'vitest'
import { addStacks } from '../../cdk/app/stacks.ts'
import { type Deployment, type Stage, stages } from '../../cdk/config.ts'
import { targets } from '../../lambdas/build/bundles.ts'
import { isWhole } from '../support/rounds.ts'
import { onceInRun } from '../support/run-dir.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROOT = join(import.meta.dirname, '../..')

export type Properties = Readonly<Record<string, unknown>>
export type Resource = {
  readonly Type: string
  readonly Properties?: Properties
  readonly DependsOn?: string | readonly string[]
  readonly DeletionPolicy?: string
  readonly UpdateReplacePolicy?: string
}
export type TemplateText = { readonly Resources: Readonly<Record<string, Resource>> }

export type Synthesised = {
  readonly storage: TemplateText
  readonly service: TemplateText
  /** A release beside the service. */
  readonly beside: TemplateText
  /** null: the stage has no copies in a second region. */
  readonly copies: TemplateText | null
  /** Files about all stacks: which roles and buckets the deployment uses. */
  readonly assembly: readonly string[]
  /** Reasons by rule. */
  readonly acknowledged: readonly (readonly [rule: string, reason: string])[]
}

/** What is deployed, and whether the whole form of the tests holds CloudFormation's schemas against it, which takes longer than all else. */
type Made = Partial<Deployment> & { readonly isValidated?: boolean }

/** The stacks of a stage; made once in a run of the tests, for all of its processes. */
export async function synthesise(stage: Stage, more: Made = {}): Promise<Synthesised> {
  const digest = createHash('sha256')
    .update(JSON.stringify([stage, more]))
    .digest('hex')
  const text = await onceInRun(`stacks-${digest}`, () => JSON.stringify(synthesiseAnew(stage, more)))
  return JSON.parse(text) as Synthesised
}

/** prod, held against CloudFormation's schemas in the whole form. */
export const synthesiseProd = (): Promise<Synthesised> => synthesise(stages.prod, { isValidated: true })

/** Bundles of one line: what a template says does not depend on what they hold. Throws where a rule of cdk-nag is broken without a reason. */
function synthesiseAnew(stage: Stage, { isValidated = false, ...more }: Made): Synthesised {
  const folder = tempDir()
  const [bundles, pages] = [join(folder, 'bundles'), join(folder, 'site')]
  mkdirSync(pages)
  writeFileSync(join(pages, 'index.html'), '<!doctype html>')
  for (const { name } of targets()) {
    mkdirSync(join(bundles, name), { recursive: true })
    writeFileSync(join(bundles, name, 'index.mjs'), `export const name = ${JSON.stringify(name)}\n`)
  }
  const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')) as { context: object }
  const app = new App({
    context: { ...context },
    outdir: join(folder, 'out'),
    builtinCloudFormationValidation: isValidated && isWhole,
  })
  addStacks(app, { stage, bundles, pages, codeVersion: '0.0.0+test', hasDocker: false, ...more })
  app.synth()
  const read = (name: string) => JSON.parse(readFileSync(join(folder, 'out', name), 'utf8')) as TemplateText
  return {
    storage: read(`Z100-${stage.name}-Storage.template.json`),
    service: read(`Z100-${stage.name}-Service.template.json`),
    beside: read(`Z100-${stage.name}-Beside.template.json`),
    copies: stage.copiesRegion === null ? null : read(`Z100-${stage.name}-Copies.template.json`),
    assembly: readdirSync(join(folder, 'out'))
      .filter((name) => /^manifest\.json$|\.assets\.json$/.test(name))
      .map((name) => readFileSync(join(folder, 'out', name), 'utf8')),
    acknowledged: app.node
      .findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>)),
  }
}

/** A resource under its logical id, with those that it is made after. */
export type TemplatePart = {
  readonly id: string
  readonly properties: Properties
  readonly dependsOn: readonly string[]
}

/** Resources of a type; `beginning`: of their ids. */
export const resourcesOf = (template: TemplateText, type: string, beginning = ''): readonly TemplatePart[] =>
  Object.entries(template.Resources).flatMap(([id, { Type, Properties = {}, DependsOn = [] }]) =>
    Type === type && id.startsWith(beginning)
      ? [{ id, properties: Properties, dependsOn: [DependsOn].flat() }]
      : [],
  )

export const propertiesOf = (template: TemplateText, type: string, beginning = ''): readonly Properties[] =>
  resourcesOf(template, type, beginning).map(({ properties }) => properties)

/** What stands at a path of names and numbers within a value. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string | number, unknown>)?.[name], value)
}

/** Properties of the one resource of a type whose id begins so. */
export function only(template: TemplateText, type: string, beginning = ''): Properties {
  const [found = {}, ...others] = propertiesOf(template, type, beginning)
  expect(others, type).toEqual([])
  return found
}
