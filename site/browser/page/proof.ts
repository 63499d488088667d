/**
 * The newest snapshot: its block and digests, a check of the bytes in this browser, and the command that recomputes it
 * from the chain.
 */
import type { Manifest, ManifestDocument } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { type Child, codeBlock, h, main, setChildren } from '../base/dom.ts'
import { countLabel, shortHex } from '../base/format.ts'
import { type Column, openTableView } from '../base/table.ts'
import { openPanel } from '../part/panel.ts'
import { check, manifestLines, verifyCommand } from '../part/proof-panel.ts'
import { openPage } from '../part/shell.ts'

type Row = ManifestDocument & { readonly document: string }

const classes = { same: 'up', other: 'quiet', different: 'down', refused: 'quiet' } as const

function checkCell(row: Row): Child {
  const place = h('span', { role: 'status' })
  const run = async () => {
    setChildren(place, 'asking…')
    try {
      const { is, description } = await check(row.document, row)
      setChildren(place, h('span', { class: classes[is] }, `${is === 'same' ? '✓ ' : ''}${description}`))
    } catch {
      setChildren(place, 'the service does not answer')
    }
  }
  return [
    h(
      'button',
      { type: 'button', 'aria-label': `Check ${row.document}`, on: { click: () => void run() } },
      'Check',
    ),
    ' ',
    place,
  ]
}

const columns: readonly Column<Row>[] = [
  { id: 'document', label: 'Document', isHeading: true, cell: (row) => h('code', {}, row.document) },
  { id: 'total', label: 'Records', isNumber: true, cell: (row) => countLabel(row.total) },
  {
    id: 'sha',
    label: 'sha256',
    cell: (row) => h('span', { class: 'hex', title: row.sha256 }, shortHex(row.sha256)),
  },
  { id: 'since', label: 'Unchanged since', cell: (row) => h('span', { class: 'hex' }, row.snapshot_id) },
  { id: 'check', label: 'In this browser', cell: checkCell },
]

function manifestOf(manifest: Manifest): Child {
  const rows = Object.entries(manifest.documents).map(([document, entry]) => ({ document, ...entry }))
  const table = openTableView({ caption: 'The snapshot’s documents and their digests', columns })
  table.show(rows)
  return [
    manifestLines(manifest),
    manifest.unpublished.length > 0 &&
      h(
        'p',
        { class: 'notice' },
        `Not published, the last good version stays: ${manifest.unpublished.join(', ')}`,
      ),
    h('h2', {}, 'Recompute it from the chain'),
    codeBlock(verifyCommand(manifest.snapshot_id), 'Verify this snapshot'),
    h('h2', {}, 'Digests'),
    h(
      'p',
      { class: 'quiet' },
      'Verifying downloads the document and hashes it. Each download counts as one request.',
    ),
    table.element,
  ]
}

openPage()
main().append(
  openPanel({
    load: async (signal) => {
      const { body } = await ask('/v1/status', {}, signal)
      return (await ask('/v1/snapshots/{id}', { id: body.snapshot_id }, signal)).body
    },
    show: manifestOf,
  }).element,
)
