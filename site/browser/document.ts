/** A page whose text was written when the site was built. */
import { copyButton } from './code.ts'
import { openPage } from './shell.ts'

openPage()
for (const block of document.querySelectorAll<HTMLPreElement>('main pre')) {
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  frame.append(
    block,
    copyButton(() => block.textContent ?? '', 'Copy this code'),
  )
}
