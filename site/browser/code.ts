/** Code to copy. */
import { fill, h } from './dom.ts'

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

/** Languages that requests are shown in. */
export const languages = { curl: 'curl', js: 'JavaScript', python: 'Python' } as const
export type Language = keyof typeof languages

const CHOSEN = 'z100.language'
const shownSamples = new Set<() => void>()

function languageNow(): Language {
  const kept = sessionStorage.getItem(CHOSEN)
  return kept !== null && Object.hasOwn(languages, kept) ? (kept as Language) : 'curl'
}

/** A request in each language; one choice holds for all on the page. */
export function samples(texts: Readonly<Record<Language, string>>, label: string): HTMLElement {
  const place = h('div')
  const buttons = Object.entries(languages).map(([language, name]) =>
    h(
      'button',
      {
        type: 'button',
        value: language,
        on: {
          click: () => {
            sessionStorage.setItem(CHOSEN, language)
            for (const show of shownSamples) show()
          },
        },
      },
      name,
    ),
  )
  const show = () => {
    const now = languageNow()
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.value === now))
    fill(place, codeBlock(texts[now], `${label} in ${languages[now]}`))
  }
  shownSamples.add(show)
  show()
  return h(
    'div',
    { class: 'samples' },
    h('div', { class: 'choice', role: 'group', 'aria-label': 'Language' }, buttons),
    place,
  )
}

/** How a request is written in each language. `path` has its query. */
export function requestSamples(path: string, needsKey: boolean): Readonly<Record<Language, string>> {
  const url = `${location.origin}${path}`
  const curlKey = needsKey ? ` \\\n  -H "Authorization: Bearer $Z100_KEY"` : ''
  const jsKey = needsKey ? `, {\n  headers: { Authorization: \`Bearer \${process.env.Z100_KEY}\` },\n}` : ''
  const pythonKey = needsKey ? `, headers={\n    "Authorization": f"Bearer {os.environ['Z100_KEY']}",\n}` : ''
  return {
    curl: `curl -s '${url}'${curlKey}`,
    js: `const response = await fetch('${url}'${jsKey})
if (!response.ok) throw new Error((await response.json()).error.message)
console.log(await response.json())`,
    python: `${needsKey ? 'import os\n' : ''}import json
import urllib.request

request = urllib.request.Request("${url}"${pythonKey})
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,
  }
}
