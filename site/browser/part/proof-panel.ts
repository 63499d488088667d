import type { Answer, Manifest } from '../../../clients/typescript/index.ts'
import { documentUrl } from '../base/addresses.ts'
import { ask, refusalText } from '../base/ask.ts'
import { wholeHex } from '../base/cells.ts'
import { type Child, codeBlock, h, setChildren } from '../base/dom.ts'
import { countLabel } from '../base/format.ts'
import { accessOf } from '../base/key.ts'

/** The command that recomputes a snapshot from the chain and compares. */
export const verifyCommand = (snapshotId: string): string => `npm run admin -- verify ${snapshotId}`

/** Names and values of a proof. */
export function facts(rows: readonly (readonly [Child, Child])[]): HTMLElement {
  return h(
    'dl',
    { class: 'facts-list' },
    rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  )
}

/** The facts of a manifest. */
export const manifestLines = (manifest: Manifest): HTMLElement =>
  facts([
    ['Snapshot', h('span', { class: 'hex' }, manifest.snapshot_id)],
    ['Figures of', `${manifest.as_of} (exclusive end of the minute)`],
    ['Chain', manifest.chain],
    ['Block', countLabel(manifest.block_number)],
    ['Block hash', wholeHex(manifest.block_hash)],
    ['Log position', countLabel(manifest.log_position)],
    ['Rules', `version ${manifest.rules_version}`],
    ['Code', manifest.code_version ?? 'not told'],
  ])

/**
 * A collapsed panel at a document's table, which stays while the document changes; its manifest is requested while it is
 * open.
 */
export function openProofPanel(): (
  document: string,
  answer: Pick<Answer<unknown>, 'snapshotId'>,
) => HTMLElement {
  const place = h('div', {}, h('p', { class: 'quiet' }, 'Loading…'))
  let shown: { readonly document: string; readonly snapshotId: string | null } | undefined
  const isShown = (one: typeof shown) =>
    one?.document === shown?.document && one?.snapshotId === shown?.snapshotId
  const open = async () => {
    if (!shown) return
    const now = shown
    const { document, snapshotId } = now
    if (snapshotId === null) return setChildren(place, h('p', {}, 'This response has no snapshot id.'))
    try {
      const { body } = await ask('/v1/snapshots/{id}', { id: snapshotId })
      if (isShown(now)) setChildren(place, proofOf(document, body))
    } catch (error) {
      if (isShown(now)) setChildren(place, h('p', { class: 'notice' }, refusalText(error)))
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
    h('summary', {}, 'Verify this data'),
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
    manifestLines(manifest),
    facts([
      ['Document', h('code', {}, document)],
      ['sha256', entry ? wholeHex(entry.sha256) : 'not part of this snapshot'],
    ]),
    h('p', {}, 'Recompute it from the chain with your own copy of the service:'),
    codeBlock(verifyCommand(manifest.snapshot_id), 'Verify this snapshot'),
    h('p', {}, h('a', { href: '/proof' }, 'Verify the digests in your browser')),
  ]
}

/** Result of a check. `other`: the answer is of a later snapshot, or of an earlier one from a cache. */
export type ProofVerdict = {
  readonly is: 'same' | 'different' | 'other' | 'refused'
  readonly description: string
}

/** Requests a document and compares its sha256 with the stated one. Throws what fetch throws. */
export async function check(
  document: string,
  stated: { readonly sha256: string; readonly snapshot_id: string },
): Promise<ProofVerdict> {
  const { key } = await accessOf()
  const headers = key === null ? {} : { Authorization: `Bearer ${key}` }
  const response = await fetch(documentUrl(document), { headers, cache: 'no-cache' })
  if (!response.ok) return { is: 'refused', description: `refused with ${response.status}` }
  const bytes = await response.arrayBuffer()
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  if (hex === stated.sha256) return { is: 'same', description: 'these bytes' }
  const came = response.headers.get('x-snapshot-id')
  return came === stated.snapshot_id
    ? { is: 'different', description: `got ${hex}` }
    : { is: 'other', description: `what came is of snapshot ${came}: load the page again in half a minute` }
}
