import { reproject } from '../ingest/reproject.ts'
import { commandOf } from './command.ts'
import { openStores } from './stores.ts'

/** `admin reproject`: 0 the tables hold what the log says. */
export const reprojectCommand = commandOf({
  usage: 'reproject',
  says: 'Writes the tables again from the log of minutes: what was lost or spoilt there stands as it should. Harmless to repeat.',
  run: async (call) => {
    const { log } = openStores(await call.deployment())
    const put = await reproject({
      log,
      now: Math.floor(Date.now() / 1_000),
      onEntry: (done, total) => call.progress.step('entries of the log', done, total),
    })
    call.progress.end()
    call.say(call.isJson ? JSON.stringify({ items: put }) : `${put} items put as the log says`)
    return 0
  },
})
