/** How to begin: a key, a first request, what comes back. */
import { codeBlock, requestSamples, samples } from './code.ts'
import { h, main } from './dom.ts'
import { openPage } from './shell.ts'

const next: readonly (readonly [href: string, label: string, says: string])[] = [
  ['/docs/api', 'API reference', 'every operation, its parameters and answers'],
  ['/docs/stream', 'Stream', 'swaps as they occur, without a key'],
  ['/docs/errors', 'Errors', 'what is refused, and what to do then'],
  ['/docs/methodology', 'Methodology', 'how each figure is made'],
  ['/proof', 'Proof', 'how to check what is published'],
]

const streamSamples = {
  curl: `curl -N ${location.origin}/stream/swaps`,
  js: `const source = new EventSource('${location.origin}/stream/swaps')
source.onmessage = ({ data }) => console.log(JSON.parse(data))
source.addEventListener('retract', ({ data }) => console.log('taken back', data))`,
  python: `import json
import urllib.request

with urllib.request.urlopen("${location.origin}/stream/swaps") as stream:
    for line in stream:
        if line.startswith(b"data: "):
            print(json.loads(line[6:]))`,
}

openPage()
main().append(
  h(
    'div',
    { class: 'prose' },
    h('h2', {}, '1. A key'),
    h(
      'p',
      {},
      'The operator of this service gives keys. A run on your own machine has a key of each tier in ',
      h('code', {}, '.z100/ready.json'),
      ' and shows one when it starts.',
    ),
    codeBlock('export Z100_KEY=z100_…', 'Set the key'),
    h('h2', {}, '2. A board'),
    samples(requestSamples('/v1/z100/creators?period=24h', true), 'A board'),
    h(
      'p',
      {},
      'Boards are made anew once a minute. Keep the ',
      h('code', {}, 'ETag'),
      ' and send it as ',
      h('code', {}, 'If-None-Match'),
      ': an unchanged board is answered with 304 and no body, which counts as a request like any other.',
    ),
    h(
      'p',
      {},
      'A parameter that an operation does not know is ignored and named in ',
      h('code', {}, 'X-Ignored-Parameters'),
      ': a typo shows there (',
      h('code', {}, 'curl -i'),
      ' prints the headers). With ',
      h('code', {}, 'strict=true'),
      ' it is refused instead.',
    ),
    h('h2', {}, '3. The state of the service'),
    samples(requestSamples('/v1/status', false), 'The status'),
    h('h2', {}, '4. Swaps as they occur'),
    samples(streamSamples, 'The stream'),
    h('h2', {}, 'From here'),
    h(
      'ul',
      {},
      next.map(([href, label, says]) => h('li', {}, h('a', { href }, label), `: ${says}`)),
    ),
  ),
)
