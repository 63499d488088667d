/** Script of the account page: signing in, and the account of who has. */
import '../style/account.css'
import type { OwnAccount, Visitor } from '../../../schemas/api/account.ts'
import { h, main, setChildren } from '../base/dom.ts'
import { askVisitor } from '../base/questions.ts'
import { AccountRefusedError, accountFault, askAccount, assertSignedIn } from '../part/account-ask.ts'
import { type AccountChange, keysSection, newKeyPlace } from '../part/account-keys.ts'
import { changesSection, usageSection } from '../part/account-usage.ts'
import { openPage } from '../part/shell.ts'
import { onWallets, signInWith, type WalletProvider } from '../part/wallets.ts'

const EVERY_MS = 60_000

openPage()
const fault = h('div', { role: 'alert' })
const content = h('div', { class: 'account' })
main().append(fault, content)

const say = (error?: unknown): void =>
  setChildren(fault, error !== undefined && h('div', { class: 'notice' }, h('p', {}, accountFault(error))))

/** How often the account was asked for: an answer that another request has overtaken is not shown. */
let asked = 0

/** Shows who has signed in, or how to. */
async function show(): Promise<void> {
  const own = ++asked
  try {
    const { chain, is_signed_in: isSignedIn } = await askAccount<Visitor>('GET', 'session')
    const account = isSignedIn ? await askAccount<OwnAccount>('GET', 'account') : null
    if (own !== asked) return
    if (account) place(account, newKeyPlace())
    else showSignIn(chain.name)
  } catch (error) {
    say(error)
  }
}

/** Does something and shows the outcome, or why it was refused. */
const change: AccountChange = async (act) => {
  say()
  try {
    await act()
    await refresh()
  } catch (error) {
    say(error)
    if (error instanceof AccountRefusedError && error.code === 'NOT_SIGNED_IN') await show()
  }
}

/** The sections of the account, which stay where they are while their figures change. */
let sections: {
  readonly usage: HTMLElement
  readonly keys: HTMLElement
  readonly fresh: HTMLElement
  readonly changes: HTMLElement
} | null = null

async function refresh(): Promise<void> {
  if (!sections) return show()
  const own = ++asked
  const { fresh } = sections
  const account = await askAccount<OwnAccount>('GET', 'account')
  if (own === asked) place(account, fresh)
}

function place(account: OwnAccount, fresh: HTMLElement): void {
  const keys = keysSection(account, change, fresh)
  sections = { usage: usageSection(account), keys, fresh, changes: changesSection(account) }
  const { usage, changes } = sections
  keepFocus(() => setChildren(content, whoIs(account), usage, keys, changes, ending()))
}

/** Replaces what is shown. Who goes by keyboard stays at the button of the same name, or, if it is gone, at the first one of the keys. */
function keepFocus(replace: () => void): void {
  const focused = content.contains(document.activeElement) ? document.activeElement : null
  replace()
  if (focused === null || focused.isConnected) return
  const buttons = [...content.querySelectorAll('button')]
  const same = buttons.find((button) => nameOf(button) === nameOf(focused))
  ;(same ?? sections?.keys.querySelector('button'))?.focus()
}

const nameOf = (element: Element): string => element.getAttribute('aria-label') ?? element.textContent ?? ''

const whoIs = ({ name, signed_in_by: by, id }: OwnAccount): HTMLElement =>
  h(
    'p',
    { class: 'who' },
    h(
      'span',
      {},
      'Signed in ',
      by === 'code' ? `by a code, to ${name}` : h('code', {}, name),
      ` · account ${id}`,
    ),
    h('button', { type: 'button', on: { click: () => void leave('session') } }, 'Sign out'),
  )

const ending = (): HTMLElement =>
  h(
    'section',
    { class: 'panel' },
    h('h2', {}, 'Delete the account'),
    h('p', {}, 'Ends all of its keys at once. Its counted hours and the log of changes are kept.'),
    h('button', { type: 'button', on: { click: () => void remove() } }, 'Delete the account'),
  )

async function remove(): Promise<void> {
  const text = 'All keys of this account are refused within a minute. This cannot be undone.'
  const isSure = await askVisitor({ title: 'Delete the account?', text, yes: 'Delete it' })
  if (isSure !== null) await leave('account')
}

async function leave(path: 'session' | 'account'): Promise<void> {
  await change(async () => {
    await askAccount('DELETE', path)
    sections = null
  })
}

function showSignIn(chain: string): void {
  sections = null
  const wallets = h('div', { class: 'row' })
  const none = h('p', { class: 'quiet' }, 'No wallet was found in this browser.')
  const enter = (provider: WalletProvider) => void change(() => signInWith(provider).then(assertSignedIn))
  onWallets((found) =>
    setChildren(
      wallets,
      found.map(({ name, provider }) => walletButton(`Sign in with ${name}`, () => enter(provider))),
      chain === 'devnet' &&
        walletButton('Sign in with the demo wallet', () => {
          void import('../part/demo-wallet.ts').then(({ demoWallet }) => enter(demoWallet))
        }),
      found.length === 0 && none,
    ),
  )
  setChildren(
    content,
    h('section', { class: 'panel' }, h('h2', {}, 'Sign in with a wallet'), wallets),
    codeSection(),
  )
}

const walletButton = (text: string, act: () => void): HTMLElement =>
  h('button', { type: 'button', class: 'strong', on: { click: act } }, text)

/** The second way in. */
function codeSection(): HTMLElement {
  const input = h('input', { id: 'code', autocomplete: 'one-time-code', spellcheck: 'false', required: true })
  const submit = (event: Event) => {
    event.preventDefault()
    void change(() => askAccount('POST', 'code', { code: input.value }).then(assertSignedIn))
  }
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, 'Or with a code'),
    h('p', {}, 'Without a wallet: the operator of this service can give you a code, which works once.'),
    h(
      'form',
      { class: 'row', on: { submit } },
      h('label', { for: 'code' }, 'Code'),
      input,
      h('button', { type: 'submit' }, 'Sign in'),
    ),
  )
}

void show()
setInterval(() => {
  // A question returns the focus to the button that asked it.
  const isAsking = document.querySelector('dialog[open]') !== null
  if (sections && !isAsking && document.visibilityState === 'visible') void change(async () => {})
}, EVERY_MS)
