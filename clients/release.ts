/**
 * `npm run release`: what a release of this commit would be: its version, what readers and operators are told, and what is
 * packed. `npm run release -- --tag` packs it into dist/release and tags the commit; pushing the tag publishes it
 * (.github/workflows/release.yml).
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECURITY_EXPIRES } from '../schemas/pages/site.ts'
import { VERSION } from './typescript/wire.ts'

const ROOT = join(import.meta.dirname, '..')
const PACKED = join(ROOT, 'dist/release')
const WARNED_DAYS = 90

/** Files that state the version of what is published; Python's is read from its module. */
const stated = ['clients/typescript/package.json', 'clients/mcp/package.json', 'clients/mcp/server.json']

/** Numbers whose change an operator has to know, with what it means. */
const costly: Readonly<Record<string, string>> = {
  FOLD_VERSION:
    'the chain is folded into a new log beside the live one, which takes hours; readers move to it when it has caught up',
  RULES_VERSION: 'figures of the same names are computed by other rules',
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

function orNull<Result>(ask: () => Result): Result | null {
  try {
    return ask()
  } catch {
    return null
  }
}

/** Why this commit is no release; empty: it is one. */
export function obstacles(version: string, changes: string): readonly string[] {
  const wrong = stated.flatMap((file) => {
    const is = readFileSync(join(ROOT, file), 'utf8').match(/"version": "([^"]*)"/g) ?? []
    return is.filter((text) => text !== `"version": "${version}"`).map((text) => `${file} says ${text}`)
  })
  return [
    ...wrong,
    ...(notesFor(version, changes) ? [] : [`CHANGELOG.md does not begin with ## ${version}`]),
    ...(git('status', '--porcelain') ? ['there are changes that are not committed'] : []),
    ...(orNull(() => git('rev-parse', '--verify', `refs/tags/v${version}`))
      ? [`v${version} is tagged already`]
      : []),
  ]
}

/** What the change log says of a version, if it is the newest; else empty. */
export function notesFor(version: string, changes: string): string {
  const [newest = ''] = changes.split(/^(?=## \d)/m).slice(1)
  return newest.startsWith(`## ${version}\n`) ? newest.slice(newest.indexOf('\n')).trim() : ''
}

/** What an operator is told, of the texts of market/rules.ts before and now. */
export function operatorNotes(before: string, now: string): readonly string[] {
  const valueIn = (text: string, name: string) =>
    new RegExp(`^export const ${name} = (\\d+)`, 'm').exec(text)?.[1]
  return Object.entries(costly).flatMap(([name, meaning]) => {
    const [was, is] = [valueIn(before, name), valueIn(now, name)]
    return was === is ? [] : [`${name} ${was} → ${is}: ${meaning}.`]
  })
}

function notesForOperators(): readonly string[] {
  const last = orNull(() => git('describe', '--tags', '--abbrev=0', '--match', 'v*'))
  if (last === null) return ['This is the first release: deploy it as cdk/README.md says.']
  const now = readFileSync(join(ROOT, 'market/rules.ts'), 'utf8')
  const isMoved = git('diff', '--name-only', last, '--', 'test/cdk/templates') !== ''
  const days = (Date.parse(SECURITY_EXPIRES) - Date.now()) / 86_400_000
  return [
    ...operatorNotes(git('show', `${last}:market/rules.ts`), now),
    ...(isMoved ? [`Resources change since ${last}: look at \`npm run diff\` before you deploy.`] : []),
    ...(days < WARNED_DAYS ? [`security.txt ends on ${SECURITY_EXPIRES}: set SECURITY_EXPIRES.`] : []),
  ]
}

/** Packs what is published. `isDry`: only lists it. */
function pack(isDry: boolean): void {
  mkdirSync(PACKED, { recursive: true })
  for (const folder of ['clients/typescript', 'clients/mcp'])
    execFileSync('npm', ['pack', ...(isDry ? ['--dry-run'] : ['--pack-destination', PACKED])], {
      cwd: join(ROOT, folder),
      stdio: 'inherit',
    })
  if (isDry) return
  const build = `from setuptools import build_meta as b; b.build_sdist(r'${PACKED}'); b.build_wheel(r'${PACKED}')`
  execFileSync('python3', ['-c', build], { cwd: join(ROOT, 'clients/python'), stdio: 'inherit' })
}

function main(): void {
  const isDry = !process.argv.includes('--tag')
  const changes = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const notes = [
    `# ${VERSION}`,
    '## For operators',
    notesForOperators().join('\n') || 'Nothing to do but to deploy.',
    '## For readers',
    notesFor(VERSION, changes),
  ].join('\n\n')
  process.stdout.write(`${notes}\n\n`)
  const wrong = obstacles(VERSION, changes)
  if (wrong.length > 0 && !isDry) throw new Error(`this commit is no release: ${wrong.join('; ')}`)
  pack(isDry)
  if (isDry) {
    const what =
      wrong.length > 0
        ? `Before it can be tagged: ${wrong.join('; ')}`
        : 'Tag it with npm run release -- --tag'
    process.stdout.write(`\nNothing was tagged. ${what}.\n`)
    return
  }
  git('tag', '--annotate', '--cleanup=verbatim', `v${VERSION}`, '--message', notes)
  process.stdout.write(`\nTagged v${VERSION}. To publish: git push origin v${VERSION}\n`)
}

if (process.argv[1]?.endsWith('release.ts')) main()
