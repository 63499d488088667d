// A board and the candles of the token that is chosen, for React 18 or newer and any bundler:
//   esbuild examples/react-dashboard.tsx --bundle --jsx=automatic --outfile=dashboard.js
//   <div id="dashboard" data-api="https://api.example.com" data-key="z100_live_…"></div>
import { type BoardRow, type Candle, createClient } from '@z100/client'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const place = document.querySelector('#dashboard') as HTMLElement
const { api = '', key = '' } = place.dataset
const client = createClient({ baseUrl: api, apiKey: key })
type Drawn = Readonly<Record<'timestamp' | 'open' | 'high' | 'low' | 'close', number>>
const [WIDTH, HEIGHT, MINUTE_MS, HOURS] = [720, 240, 60_000, { interval: '1h', limit: 96 }] as const

/** What `ask` answers, asked again each minute. */
function useAnswer<T>(ask: () => PromiseLike<{ body: T }>, of: string): T | Error | null {
  const [answer, setAnswer] = useState<T | Error | null>(null)
  useEffect(() => {
    const read = () => ask().then(({ body }) => setAnswer(body), setAnswer)
    read()
    const timer = setInterval(read, MINUTE_MS)
    return () => clearInterval(timer)
  }, [of])
  return answer
}

function Candles({ address }: { address: string }) {
  const found = useAnswer<Candle[]>(() => client.tokens.candles(address, HOURS), address)
  if (!Array.isArray(found)) return <p role="status">{found === null ? 'Loading…' : found.message}</p>
  const candles = found.filter(({ low }) => low !== null) as Drawn[]
  const [low, high] = [Math.min(...candles.map((c) => c.low)), Math.max(...candles.map((c) => c.high))]
  const y = (price: number) => HEIGHT - ((price - low) / (high - low || 1)) * HEIGHT
  const x = (at: number) => ((at + 0.5) * WIDTH) / candles.length
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} role="img" aria-label={`${candles.length} candles`}>
      {candles.map(({ timestamp, open, close, low, high }, at) => (
        <g key={timestamp} stroke={close < open ? 'crimson' : 'seagreen'}>
          <path d={`M${x(at)} ${y(low)}V${y(high)}`} />
          <path d={`M${x(at)} ${y(open)}V${y(close)}`} strokeWidth={WIDTH / candles.length / 2} />
        </g>
      ))}
    </svg>
  )
}

function Dashboard() {
  const [chosen, choose] = useState('')
  const board = useAnswer<BoardRow[]>(() => client.boards.creators({ limit: 10 }), 'board')
  if (!Array.isArray(board)) return <p role="status">{board === null ? 'Loading…' : board.message}</p>
  return (
    <main>
      {board[0] && <Candles address={chosen || board[0].contract_address} />}
      {board.map(({ contract_address, rank, symbol, price_usd }) => (
        <button type="button" key={contract_address} onClick={() => choose(contract_address)}>
          {rank}. {symbol} ${price_usd}
        </button>
      ))}
    </main>
  )
}
createRoot(place).render(<Dashboard />)
