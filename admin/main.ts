import { errorText } from './base/terminal.ts'
import { commandGroups, runAdmin } from './program.ts'

/** `npm run admin -- …` */
const { stdout, stderr, env: environment } = process

// A closed pipe, as of `head`, is no failure.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

const argv = process.argv.slice(2)
process.exitCode = await runAdmin(argv, await commandGroups(argv), { stdout, stderr, environment }).catch(
  (error: unknown) => {
    stderr.write(`${errorText(error)}\n`)
    return 2
  },
)
