import { Option } from 'commander'
import { type CommandGroup, commandOf } from '../base/command.ts'
import { OperatorFault } from '../base/terminal.ts'
import { look, sayFindings } from './findings.ts'
import { askHttp, questions } from './strangers.ts'

const probeCommand = commandOf<{ readonly stream: boolean }>({
  usage: 'probe <url>',
  description:
    'Whether a service works for strangers: status, boards, refusal without a key, stream, pages. Needs its address only.',
  options: [new Option('--no-stream', 'the service has no stream')],
  async run(call) {
    const [url] = call.args as [string]
    if (!/^https?:\/\/[^/]+\/?$/.test(url))
      throw new OperatorFault(
        'InvalidAddress',
        'give the address of a service, such as https://data.example.org',
      )
    const { stream, ...others } = questions
    const asked = call.options.stream && stream ? { ...others, stream } : others
    const seen = { http: askHttp, address: url.replace(/\/$/, ''), now: Date.now() / 1_000 }
    return sayFindings(call, await look(asked, seen))
  },
})

export const groups: readonly CommandGroup[] = [
  { name: null, description: 'The service from outside', commands: [probeCommand] },
]
