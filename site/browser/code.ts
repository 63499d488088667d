/** Code to copy. */
import { h } from './dom.ts'

const SAID_MS = 2_000

/** A block of code with a button that copies it. */
export function codeBlock(text: string, label: string): HTMLElement {
  return h(
    'div',
    { class: 'code' },
    h('pre', { tabindex: '0', 'aria-label': label }, h('code', {}, text)),
    copyButton(() => text, label),
  )
}

/** A button that copies a text. */
export function copyButton(text: () => string, label: string): HTMLButtonElement {
  const words = h('span', { 'aria-live': 'polite' }, 'Copy')
  const say = (said: string) => {
    words.textContent = said
    setTimeout(() => {
      words.textContent = 'Copy'
    }, SAID_MS)
  }
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => say('Copied'),
      // The browser may forbid it; the text can still be marked by hand.
      () => say('Not allowed'),
    )
  return h('button', { type: 'button', class: 'copy', title: label, on: { click: () => void copy() } }, words)
}
