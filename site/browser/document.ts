/** A page whose text was written when the site was built. */
import { copyButton } from './code.ts'
import { openPage } from './shell.ts'

/** Where the texts say that the service is; here it is where the page came from. */
const WRITTEN = 'http://127.0.0.1:4100'

openPage()
for (const block of document.querySelectorAll<HTMLPreElement>('main pre')) {
  const code = block.querySelector('code')
  if (code) code.textContent = (code.textContent ?? '').replaceAll(WRITTEN, location.origin)
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  frame.append(
    block,
    copyButton(() => block.textContent ?? '', 'Copy this code'),
  )
}
