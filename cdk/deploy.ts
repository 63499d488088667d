/** `npm run deploy`: the CDK’s deployment of both stacks; what is chosen once with `-c` becomes a parameter of its stack. */
import { spawnSync } from 'node:child_process'
import { deployArguments } from './choices.ts'

const { status } = spawnSync('npx', ['cdk', ...deployArguments(process.argv.slice(2))], { stdio: 'inherit' })
process.exitCode = status ?? 1
