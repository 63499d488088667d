// Tells a webhook, Discord or Telegram when a token passes a bound, once each time that it does:
//   API=http://127.0.0.1:4100 KEY=… HOOK=https://discord.com/api/webhooks/… node examples/alerts.mjs rules.json [rounds]
// rules.json: [{"token": "0x…", "figure": "price_usd", "above": 0.01}, {"token": "0x…", "figure": "change_24h", "below": -20}]
// Figures are keys of /v1/tokens: price_usd, change_24h, volume_24h, market_cap, unique_holders, z100_rank, …
// For Telegram, HOOK is https://api.telegram.org/bot…/sendMessage and CHAT the id of the chat.
// What was told stands in rules.json.told, which is written first: nothing is told twice, also after a restart. A message that
// the webhook refuses is sent again in the next round; one is lost if this program is killed while it sends.

import { readFile, rename, writeFile } from 'node:fs/promises'

const { API = 'http://127.0.0.1:4100', KEY = '', HOOK = '', CHAT = '', PAUSE_MS = '60000' } = process.env
const [file = 'rules.json', most = 'Infinity'] = process.argv.slice(2)
const rules = JSON.parse(await readFile(file, 'utf8'))
const kept = `${file}.told`
const told = new Set(
  await readFile(kept, 'utf8').then(JSON.parse, (error) => {
    if (error.code === 'ENOENT') return []
    throw error
  }),
)

const nameOf = ({ token, figure, above, below }) =>
  `${token.toLowerCase()} ${figure} ${above === undefined ? `below ${below}` : `above ${above}`}`

/** A whole file or none, however this program ends. */
async function keepTold() {
  await writeFile(`${kept}.new`, JSON.stringify([...told]))
  await rename(`${kept}.new`, kept)
}

async function figuresNow() {
  const addresses = [...new Set(rules.map(({ token }) => token))].join(',')
  const response = await fetch(`${API}/v1/tokens?addresses=${addresses}`, {
    headers: { authorization: `Bearer ${KEY}` },
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const rows = await response.json()
  return new Map(rows.map((row) => [row.token_address.toLowerCase(), row]))
}

async function send(text) {
  console.log(text)
  if (HOOK === '') return
  // Discord reads content, Telegram text and chat_id; others what they like. A symbol may say @everyone: nobody is called by it.
  const body = JSON.stringify({
    ...{ content: text, text, allowed_mentions: { parse: [] } },
    ...(CHAT && { chat_id: CHAT }),
  })
  const response = await fetch(HOOK, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  if (!response.ok) throw new Error(`The webhook answered ${response.status}`)
}

async function judge(rule, row) {
  const value = row?.[rule.figure]
  if (typeof value !== 'number') return
  const isPassed = rule.above === undefined ? value < rule.below : value > rule.above
  const name = nameOf(rule)
  if (isPassed === told.has(name)) return
  if (!isPassed) told.delete(name)
  else told.add(name)
  await keepTold()
  if (!isPassed) return
  try {
    await send(`${row.symbol}: ${rule.figure} is ${value}, ${name.split(' ').slice(2).join(' ')}`)
  } catch (error) {
    told.delete(name)
    await keepTold()
    console.error(error.message)
  }
}

for (let round = 0; round < Number(most); round++) {
  if (round > 0) await new Promise((resolve) => setTimeout(resolve, Number(PAUSE_MS)))
  try {
    const rows = await figuresNow()
    for (const rule of rules) await judge(rule, rows.get(rule.token.toLowerCase()))
  } catch (error) {
    // A limit, a break of the network: the next round asks again.
    console.error(error.message)
  }
}
