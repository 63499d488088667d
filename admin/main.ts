import { commandGroups, runAdmin } from './program.ts'

/** `npm run admin -- …`: exit code 0 as wanted, 1 a difference, 2 it cannot be told. */
const { stdout, stderr, env: environment } = process

// A reader that has seen enough, as `head` has, is no failure.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

const argv = process.argv.slice(2)
process.exitCode = await runAdmin(argv, await commandGroups(argv), {
  stdout,
  stderr,
  environment,
}).catch((error: unknown) => {
  // An error with a name of its own says all in its message; of any other the stack is needed.
  const isNamed = error instanceof Error && !['Error', 'TypeError', 'RangeError'].includes(error.name)
  const text = isNamed
    ? `${error.name}: ${error.message}`
    : error instanceof Error
      ? error.stack
      : String(error)
  stderr.write(`${text}\n`)
  return 2
})
