// The Z100 Index with its last seven days, on any page:
//   <script type="module" src="index-widget.mjs"></script>
//   <z100-index api="https://api.example.com" key="z100_live_…"></z100-index>
// Everybody who opens the page can read the key: use one of an account that has nothing else.

const [WIDTH, HEIGHT, MINUTE_MS] = [240, 60, 60_000]
const SVG = 'http://www.w3.org/2000/svg'

class IndexWidget extends HTMLElement {
  #etag = ''
  #timer
  #value = document.createElement('strong')
  #change = document.createElement('span')
  #line = document.createElementNS(SVG, 'polyline')

  connectedCallback() {
    const chart = document.createElementNS(SVG, 'svg')
    chart.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`)
    chart.setAttribute('width', WIDTH)
    for (const [name, value] of Object.entries({ fill: 'none', stroke: 'currentColor' }))
      this.#line.setAttribute(name, value)
    chart.append(this.#line)
    if (!this.shadowRoot) this.attachShadow({ mode: 'open' }).append(this.#value, ' ', this.#change, chart)
    this.#refresh()
    this.#timer = setInterval(() => this.#refresh(), MINUTE_MS)
  }

  disconnectedCallback() {
    clearInterval(this.#timer)
  }

  async #refresh() {
    const headers = { authorization: `Bearer ${this.getAttribute('key')}`, 'if-none-match': this.#etag }
    const response = await fetch(`${this.getAttribute('api')}/v1/z100/index/hours`, { headers }).catch(
      () => null,
    )
    if (response?.status === 304) return
    if (!response?.ok) {
      this.#change.textContent = `no figures (${response?.status ?? 'offline'})`
      return
    }
    this.#etag = response.headers.get('etag') ?? ''
    this.#show((await response.json()).hours)
  }

  #show(hours) {
    const values = hours.map(({ index_value: value }) => value)
    const [first, last] = [values[0], values.at(-1)]
    if (last === undefined) return
    const [low, high] = [Math.min(...values), Math.max(...values)]
    this.#value.textContent = last.toFixed(2)
    const percent = (100 * (last - first)) / first
    this.#change.textContent = `${percent < 0 ? '' : '+'}${percent.toFixed(2)} % in ${values.length} hours`
    const x = (at) => (at / Math.max(1, values.length - 1)) * WIDTH
    const y = (value) => HEIGHT - 2 - ((value - low) / (high - low || 1)) * (HEIGHT - 4)
    this.#line.setAttribute('points', values.map((value, at) => `${x(at)},${y(value)}`).join(' '))
  }
}

customElements.define('z100-index', IndexWidget)
