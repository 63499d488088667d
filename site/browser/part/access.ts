import type { AccountUsage } from '../../../clients/typescript/index.ts'
import { ACCOUNT_PAGE } from '../../../schemas/api/account.ts'
import { ask, refusalText } from '../base/ask.ts'
import { find, h, setChildren } from '../base/dom.ts'
import { countLabel, timeOfDay } from '../base/format.ts'
import { type Access, accessOf, onAccess, useKey } from '../base/key.ts'

/** Shows the key button and its dialog. */
export function showAccess(): void {
  const label = h('span', {}, 'Account')
  const dialog = keyDialog()
  const button = h(
    'button',
    { type: 'button', 'aria-haspopup': 'dialog', on: { click: () => dialog.open() } },
    label,
  )
  setChildren(find('#access'), button, dialog.element)
  const tell = () =>
    accessOf().then(
      ({ from }) => {
        label.textContent = from === 'reader' ? 'Your key' : 'Account'
      },
      // The panels of the page show the error, and retry.
      () => {},
    )
  onAccess(tell)
  void tell()
}

/** Opens the key dialog. */
export const askForKey = (): void => find<HTMLButtonElement>('#access button').click()

function keyDialog(): { element: HTMLDialogElement; open: () => void } {
  const input = h('input', {
    id: 'key',
    type: 'password',
    name: 'key',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'z100_live_…',
    'aria-describedby': 'key-says',
  })
  const usage = h('p', { class: 'quiet', role: 'status' })
  const take = (key: string) => {
    useKey(key)
    input.value = ''
    void tellUsage(usage)
  }
  const element = h(
    'dialog',
    { 'aria-labelledby': 'key-title' },
    h('h2', { id: 'key-title' }, 'Account'),
    h('p', {}, h('a', { href: ACCOUNT_PAGE }, 'Sign in'), ' to create a key and to see what you used.'),
    h(
      'p',
      { id: 'key-says' },
      'These pages have a key of their own. With yours they use your limit; it is kept in this tab until you close it.',
    ),
    usage,
    h(
      'form',
      {
        method: 'dialog',
        on: {
          submit: (event) => {
            event.preventDefault()
            take(input.value.trim())
          },
        },
      },
      h('label', { for: 'key' }, 'Your API key'),
      input,
      h(
        'div',
        { class: 'row' },
        h('button', { type: 'submit', class: 'strong' }, 'Use this key'),
        h('button', { type: 'button', on: { click: () => take('') } }, 'Forget it'),
        h('button', { type: 'button', on: { click: () => element.close() } }, 'Close'),
      ),
    ),
  )
  return {
    element,
    open: () => {
      element.showModal()
      void tellUsage(usage)
    },
  }
}

async function tellUsage(place: HTMLElement): Promise<void> {
  try {
    const { from } = await accessOf()
    if (from === 'none') return setChildren(place, 'No key is in use.')
    setChildren(place, usageText(from, (await ask('/v1/usage', {})).body))
  } catch (error) {
    setChildren(place, refusalText(error))
  }
}

function usageText(from: Access['from'], { tier, used, limit, reset_at: reset }: AccountUsage): string {
  const whose = from === 'reader' ? `Your key: ${tier}` : 'The site’s key, shared by your network'
  return `${whose}, ${countLabel(used)} of ${countLabel(limit)} requests used in the hour ending at ${timeOfDay(reset)} UTC.`
}
