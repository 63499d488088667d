/** The keys of an account: a table, and what can be done with each. */
import { accountLimits, type NewOwnKey, type OwnAccount, type OwnKey } from '../../../schemas/api/account.ts'
import { type Child, codeBlock, h, setChildren } from '../base/dom.ts'
import { dayAndTime } from '../base/format.ts'
import { askVisitor } from '../base/questions.ts'
import { askAccount } from './account-ask.ts'

/** Makes a change and shows the account again; says what was refused. */
export type AccountChange = (change: () => Promise<unknown>) => Promise<void>

const DAY_SECONDS = 86_400

const states: Readonly<Record<OwnKey['state'], (key: OwnKey) => string>> = {
  valid: () => 'valid',
  ending: ({ ends_at: end }) => `valid until ${dayAndTime(end ?? '')}`,
  ended: ({ ends_at: end }) => `ended ${dayAndTime(end ?? '')}`,
}

/** Where a key that was just made is shown, until the page is left. */
export const newKeyPlace = (): HTMLElement => h('div', { 'aria-live': 'polite' })

/** The section of keys. `fresh` is the place of a new key, which outlasts a section: the key may come when another has taken its place. */
export function keysSection(account: OwnAccount, change: AccountChange, fresh: HTMLElement): HTMLElement {
  const valid = account.keys.filter(({ state }) => state === 'valid').length
  const isFull = valid >= account.keys_max
  const make = async () => {
    const label = await askVisitor({
      title: 'New key',
      text: 'A label helps you to tell your keys apart: production, staging.',
      yes: 'Create key',
      field: { label: 'Label (optional)', value: '' },
    })
    if (label === null) return
    await change(async () => setChildren(fresh, shownOnce(await askAccount('POST', 'keys', { label }))))
  }
  const isClosed = account.state === 'suspended'
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, 'Keys'),
    h('p', {}, `${valid} of ${account.keys_max} keys. All of them share the limit of the account.`),
    fresh,
    account.keys.length === 0
      ? h('p', { class: 'quiet' }, 'No keys yet.')
      : keyTable(account, change, (key) => setChildren(fresh, shownOnce(key))),
    h(
      'p',
      { class: 'row' },
      h(
        'button',
        { type: 'button', class: 'strong', disabled: isFull || isClosed, on: { click: () => void make() } },
        'Create a key',
      ),
      isFull && h('span', { class: 'quiet' }, 'Revoke a key to make room for another.'),
    ),
  )
}

/** A key's text, which is not shown again, and requests that work with it. */
const shownOnce = ({ key }: NewOwnKey): Child =>
  h(
    'div',
    { class: 'notice' },
    h('p', {}, h('strong', {}, 'Copy this key now. It is not shown again.')),
    codeBlock(key, 'The new key'),
    h('p', {}, 'For example:'),
    codeBlock(
      `curl -s '${location.origin}/v1/z100/creators' \\\n  -H 'Authorization: Bearer ${key}'`,
      'A request with the new key',
    ),
    codeBlock(
      `curl -s '${location.origin}/v1/usage' -H 'Authorization: Bearer ${key}'`,
      'A request for what is used',
    ),
  )

const headings = ['Label', 'Key', 'Created', 'Last used', 'State', 'Change']

function keyTable(
  { keys, state }: OwnAccount,
  change: AccountChange,
  onNew: (key: NewOwnKey) => void,
): HTMLElement {
  const row = (key: OwnKey) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, key.label || '–'),
      h('td', {}, h('code', {}, `${key.prefix}…`)),
      h('td', {}, dayAndTime(key.created_at)),
      h('td', {}, key.last_used_at === null ? 'never' : `hour of ${dayAndTime(key.last_used_at)}`),
      h('td', {}, states[key.state](key)),
      h('td', {}, key.state !== 'ended' && state === 'active' && buttons(key, change, onNew)),
    )
  return h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Keys' },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          headings.map((text) => h('th', { scope: 'col' }, text)),
        ),
      ),
      h('tbody', {}, keys.map(row)),
    ),
  )
}

function buttons(key: OwnKey, change: AccountChange, onNew: (key: NewOwnKey) => void): Child {
  // A key and the one that replaces it have one label.
  const name = key.label === '' ? `${key.prefix}…` : `${key.label} (${key.prefix}…)`
  const button = (text: string, act: () => Promise<void>) =>
    h(
      'button',
      { type: 'button', 'aria-label': `${text} key ${name}`, on: { click: () => void act() } },
      text,
    )
  const rename = async () => {
    const field = { label: 'Label', value: key.label }
    const label = await askVisitor({ title: 'Rename the key', text: key.prefix, yes: 'Rename', field })
    if (label !== null) await change(() => askAccount('PATCH', `keys/${key.id}`, { label }))
  }
  const replace = async () => {
    const most = accountLimits.overlapSeconds / DAY_SECONDS
    const days = await askVisitor({
      title: 'Replace the key',
      text: `You get a new key, and ${name} stays valid for some days, at most ${most}, until the new one is everywhere.`,
      yes: 'Replace',
      field: {
        label: 'Days that it stays valid',
        value: String(accountLimits.overlapDefaultSeconds / DAY_SECONDS),
        most,
      },
    })
    if (days === null) return
    const body = { overlap_seconds: Math.round(Number(days) * DAY_SECONDS) }
    await change(async () => onNew(await askAccount('POST', `keys/${key.id}/replacement`, body)))
  }
  const revoke = async () => {
    const text = `Requests with ${name} are refused within a minute. This cannot be undone.`
    const isSure = await askVisitor({ title: 'Revoke the key?', text, yes: 'Revoke' })
    if (isSure !== null) await change(() => askAccount('DELETE', `keys/${key.id}`))
  }
  return h(
    'div',
    { class: 'row' },
    button('Rename', rename),
    key.state === 'valid' && button('Replace', replace),
    button('Revoke', revoke),
  )
}
