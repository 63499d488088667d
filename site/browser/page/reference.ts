/** Script of the API reference: each operation can be tried, and its code shows the request that would be sent. */
import { codeBlock, h, setChildren } from '../base/dom.ts'
import { countLabel } from '../base/format.ts'
import { silenceText } from '../base/freshness.ts'
import { accessOf } from '../base/key.ts'
import { returnToPlace } from '../base/place.ts'
import './document.ts'

/** Most characters of an answer that are shown. */
const SHOWN = 20_000
/** Headers of an answer that say what it is worth. */
const told = ['x-snapshot-id', 'x-total-count', 'x-ratelimit-remaining', 'x-ignored-parameters', 'x-cache']

/** Where the id of a path is found that a reader leaves empty: the address, and the key of the answer or of its first row. */
const found: Readonly<Record<string, readonly [path: string, key: string]>> = {
  tokens: ['/v1/z100/creators?limit=1', 'contract_address'],
  creators: ['/v1/z100/creators?limit=1', 'creator_address'],
  wallets: ['/v1/market/recent-swaps?limit=1', 'trader'],
  snapshots: ['/v1/status', 'snapshot_id'],
}

async function request(address: string): Promise<Response> {
  const { key } = await accessOf()
  return fetch(address, { headers: key === null ? {} : { Authorization: `Bearer ${key}` } })
}

/** An id for a path that has one; empty: none was found. */
async function idFor(path: string): Promise<string> {
  const [address, key] = found[path.split('/')[2] ?? ''] ?? found['tokens'] ?? ['', '']
  const response = await request(address)
  if (!response.ok) return ''
  const [first] = [(await response.json()) as Record<string, unknown>].flat()
  return String(first?.[key] ?? '')
}

/** Path and query of what is filled in; an id that is not stays as it is written. */
function addressOf(form: HTMLFormElement): string {
  const values = new FormData(form)
  const query = new URLSearchParams()
  for (const [name, value] of values) if (name !== 'id' && value !== '') query.set(name, String(value))
  const id = String(values.get('id') ?? '').trim()
  const path = (form.dataset['path'] ?? '').replace('{id}', id === '' ? '{id}' : encodeURIComponent(id))
  return path + (String(query) && `?${query}`)
}

/** Shows an answer: its status, its time, some headers, its body. */
async function show(response: Response, place: HTMLElement, startedAt: number): Promise<string> {
  const text = await response.text()
  const milliseconds = Math.round(performance.now() - startedAt)
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  const whole = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text
  const lines = told.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  const cut =
    whole.length > SHOWN ? `${whole.slice(0, SHOWN)}\n… ${countLabel(whole.length)} characters` : whole
  setChildren(
    place,
    lines.length > 0 && codeBlock(lines.join('\n'), 'Headers'),
    h(
      'div',
      { class: 'box', tabindex: '0', role: 'region', 'aria-label': 'Answer' },
      codeBlock(cut, 'Answer'),
    ),
  )
  return `${response.status} ${response.statusText}, ${milliseconds} ms, ${countLabel(text.length)} characters`
}

async function send(form: HTMLFormElement, place: HTMLElement, say: (words: string) => void): Promise<void> {
  say('Asking…')
  try {
    const field = form.querySelector<HTMLInputElement>('[name=id]')
    if (field && field.value.trim() === '') {
      field.value = await idFor(form.dataset['path'] ?? '')
      form.dispatchEvent(new Event('input'))
    }
    const startedAt = performance.now()
    say(await show(await request(addressOf(form)), place, startedAt))
  } catch {
    setChildren(place)
    say(silenceText())
  }
}

/** Lays out the whole page: once its beginning is painted, or at once for a reader who comes back to a place in it. */
function layOut(): void {
  document.querySelector('.reference')?.setAttribute('data-painted', '')
}

const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
if (navigation?.type === 'navigate')
  // In the frame after the first. What the address names has moved.
  requestAnimationFrame(() =>
    setTimeout(() => {
      layOut()
      document.getElementById(location.hash.slice(1))?.scrollIntoView()
    }),
  )
else {
  layOut()
  returnToPlace()
}

for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) {
  const operation = form.closest('.operation')
  const place = operation?.querySelector<HTMLElement>('.tried')
  const status = form.querySelector('[role=status]')
  if (!operation || !place || !status) continue
  const say = (words: string) => {
    status.textContent = words
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form, place, say)
  })
  const codes = [...operation.querySelectorAll('.code[data-language] code')].map((code) => ({
    code,
    written: code.textContent ?? '',
  }))
  const first = /https?:\/\/[^'"]+/.exec(codes[0]?.written ?? '')?.[0] ?? ''
  form.addEventListener('input', () => {
    for (const { code, written } of codes)
      code.textContent = written.replace(first, location.origin + addressOf(form))
  })
}
