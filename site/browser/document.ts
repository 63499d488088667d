/** A page whose text was written when the site was built. */
import { copyButton } from './code.ts'
import { openPage } from './shell.ts'

/** Where the texts say that the service is; here it is where the page came from. */
const WRITTEN = 'http://127.0.0.1:4100'

openPage()
for (const frame of document.querySelectorAll<HTMLElement>('main .code')) {
  const code = frame.querySelector('code')
  if (!code) continue
  code.textContent = (code.textContent ?? '').replaceAll(WRITTEN, location.origin)
  frame.append(copyButton(() => code.textContent ?? '', 'Copy this code'))
}
