import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it } from 'vitest'
import { tools } from '../../clients/mcp/tools.ts'
import { notesFor, obstacles, operatorNotes } from '../../clients/release.ts'
import { VERSION } from '../../clients/typescript/wire.ts'

const root = join(import.meta.dirname, '../..')
const mcp = join(root, 'clients/mcp')
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const changes = textOf('CHANGELOG.md')

describe('a release', () => {
  it('has the version of the API in every package, and its notes on top of the change log', () => {
    expect(obstacles(VERSION, changes).filter((text) => /says|CHANGELOG/.test(text))).toEqual([])
    expect(notesFor(VERSION, changes)).toMatch(/^- \*\*/)
    expect(notesFor('1.0.0', changes)).toBe('')
    const other = obstacles('9.9.9', changes).join()
    for (const file of ['clients/typescript/package.json', 'clients/mcp/server.json'])
      expect(other).toContain(`${file} says "version": "${VERSION}"`)
    expect(other).toContain('CHANGELOG.md does not begin with ## 9.9.9')
  })

  it('tells operators what costs them hours', () => {
    const rules = textOf('market/rules.ts')
    const raised = rules.replace(/(FOLD_VERSION = )(\d+)/, (_, name, was) => `${name}${Number(was) + 1}`)
    expect(operatorNotes(rules, rules)).toEqual([])
    expect(operatorNotes(rules, raised)).toEqual([expect.stringMatching(/^FOLD_VERSION \d+ → \d+: .*hours/)])
  })

  it('names the tools for agents alike for npm and for the registry', () => {
    const [own, listed] = ['package.json', 'server.json'].map((file) =>
      JSON.parse(readFileSync(join(mcp, file), 'utf8')),
    )
    expect([listed.name, listed.packages[0].identifier]).toEqual([own.mcpName, own.name])
  })

  it('has the tools for agents in one file that runs by itself', async () => {
    execFileSync('npm', ['run', '--silent', 'prepack'], { cwd: mcp })
    const env = { PATH: process.env['PATH'] ?? '', Z100_URL: 'http://127.0.0.1:9' }
    const transport = new StdioClientTransport({ command: join(mcp, 'dist/main.js'), env })
    execFileSync('chmod', ['+x', join(mcp, 'dist/main.js')])
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    try {
      const { tools: listed } = await client.listTools()
      expect(listed.map(({ name }) => name)).toEqual([...Object.keys(tools), 'verify_row'])
    } finally {
      await client.close()
    }
  })
})
