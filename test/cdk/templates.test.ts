import { expect, it } from 'vitest'
import { stages } from '../../cdk/config.ts'
import { synthesise, synthesiseProd, type TemplateText } from './synthesised.ts'

/**
 * A stage's templates, an entry a line. A difference is a change of what is deployed: `npx vitest run test/cdk/templates -u`
 * accepts it. An id that leaves a line of tables, buckets, secrets or vaults, of the VPC origin or its balancer, or an export
 * that the deployed service uses, replaces what holds data or cannot be replaced.
 */
function linesOf(template: TemplateText | null): string {
  const sections = Object.entries(template ?? {}).map(([name, section]) => {
    if (typeof section === 'string') return lineOf([name, section])
    return `${JSON.stringify(name)}: {\n${Object.entries(section).map(lineOf).join(',\n')}\n}`
  })
  return `{\n${sections.join(',\n')}\n}`
}

const lineOf = ([id, entry]: [string, unknown]): string =>
  `${JSON.stringify(id)}: ${plain(JSON.stringify(entry))}`

/** Without the code of functions and the digests of files, which are not the template's own. */
const plain = (text: string): string =>
  text
    .replaceAll(/"FunctionCode":"(?:[^"\\]|\\.)*"/g, '"FunctionCode":"…"')
    .replaceAll(/(?<!sha256:)\b[0-9a-f]{64}\b/g, '…')

it.each(Object.values(stages))('what is deployed of $name is what was accepted', async (stage) => {
  const made = await (stage === stages.prod ? synthesiseProd() : synthesise(stage))
  const { storage, service, beside, copies } = made
  const texts = Object.entries({ storage, service, beside, copies }).map(
    ([name, template]) => `"${name}": ${linesOf(template)}`,
  )
  await expect(`{\n${texts.join(',\n')}\n}\n`).toMatchFileSnapshot(`templates/${stage.name}.json`)
})
