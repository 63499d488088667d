/** Script of a page with prebuilt text. */
import { WRITTEN_ORIGIN } from '../../../schemas/pages/site.ts'
import { copyButton } from '../base/dom.ts'
import { keepInTab, keptInTab } from '../base/tab-store.ts'
import { openPage } from '../part/shell.ts'

const CHOSEN = 'z100.language'

/** Shows every request in the language chosen last, on any page. */
function showLanguage(): void {
  const language = keptInTab(CHOSEN) || 'curl'
  document.body.dataset['language'] = language
  for (const button of buttons) button.setAttribute('aria-pressed', String(button.value === language))
}

openPage()
for (const frame of document.querySelectorAll<HTMLElement>('main .code')) {
  const code = frame.querySelector('code')
  if (!code) continue
  code.textContent = (code.textContent ?? '').replaceAll(WRITTEN_ORIGIN, location.origin)
  frame.append(copyButton(() => code.textContent ?? '', 'Copy this code'))
}
const buttons = document.querySelectorAll<HTMLButtonElement>('.samples button')
for (const button of buttons)
  button.addEventListener('click', () => {
    keepInTab(CHOSEN, button.value)
    showLanguage()
  })
showLanguage()
