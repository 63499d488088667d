/** The proof of what a page shows: block, hash, digest, and the command that makes it again from the chain. */
import type { Answer, Manifest } from '../../schemas/client.ts'
import { ask } from './ask.ts'
import { wholeHex } from './cells.ts'
import { codeBlock } from './code.ts'
import { type Child, fill, h } from './dom.ts'
import { count } from './format.ts'
import { refusalText } from './refusals.ts'

/** The command that makes a snapshot again from the chain and compares. */
export const verifyCommand = (snapshotId: string): string => `npm run admin -- verify ${snapshotId}`

/** Names and values of a proof. */
export function facts(rows: readonly (readonly [string, Child])[]): HTMLElement {
  return h(
    'dl',
    { class: 'facts-list' },
    rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  )
}

/** What a manifest says of its snapshot. */
export const manifestFacts = (manifest: Manifest): HTMLElement =>
  facts([
    ['Snapshot', h('span', { class: 'hex' }, manifest.snapshot_id)],
    ['Figures of', `${manifest.as_of} (exclusive end of the minute)`],
    ['Chain', manifest.chain],
    ['Block', count(manifest.block_number)],
    ['Block hash', wholeHex(manifest.block_hash)],
    ['Log position', count(manifest.log_position)],
    ['Rules', `version ${manifest.rules_version}`],
    ['Code', manifest.code_version ?? 'not told'],
  ])

/** A closed panel beside a document's table, which stays while the document changes; its manifest is asked for while it is open. */
export function openProofPanel(): (
  document: string,
  answer: Pick<Answer<unknown>, 'snapshotId'>,
) => HTMLElement {
  const place = h('div', {}, h('p', { class: 'quiet' }, 'Loading…'))
  let shown: { readonly document: string; readonly snapshotId: string | null } | undefined
  const open = async () => {
    if (!shown) return
    const { document, snapshotId } = shown
    if (snapshotId === null) return fill(place, h('p', {}, 'This answer names no snapshot.'))
    try {
      const { body } = await ask('/v1/snapshots/{id}', { id: snapshotId })
      fill(place, proofOf(document, body))
    } catch (error) {
      fill(place, h('p', { class: 'notice' }, refusalText(error)))
    }
  }
  const details = h(
    'details',
    {
      class: 'proof',
      on: {
        toggle: () => {
          if (details.open) void open()
        },
      },
    },
    h('summary', {}, 'Proof of these figures'),
    place,
  )
  return (document, { snapshotId }) => {
    const isOther = shown?.document !== document || shown.snapshotId !== snapshotId
    shown = { document, snapshotId }
    if (details.open && isOther) void open()
    return details
  }
}

function proofOf(document: string, manifest: Manifest): Child {
  const entry = manifest.documents[document]
  return [
    manifestFacts(manifest),
    facts([
      ['Document', h('code', {}, document)],
      ['sha256', entry ? wholeHex(entry.sha256) : 'not part of this snapshot'],
    ]),
    h('p', {}, 'Make it again from the chain and compare, with a copy of the service:'),
    codeBlock(verifyCommand(manifest.snapshot_id), 'Verify this snapshot'),
    h('p', {}, h('a', { href: '/proof' }, 'Check the digests in this browser')),
  ]
}
