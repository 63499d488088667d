/** `admin freeze`: stops the rebuilds of a stage, so that what is published stays, and starts them again. */
import { Option } from 'commander'
import { stageSizes } from '../../schemas/deployment/stages.ts'
import { askByCli, awsText, type DeployedStage, idsIn, resourcesIn } from '../base/aws-cli.ts'
import { type CommandCall, type CommandGroup, commandOf, type ExitCode, sayResult } from '../base/command.ts'
import { OperatorFault } from '../base/terminal.ts'

const nothingThere = (what: string) => new OperatorFault('NothingToFreeze', what)

/** A schedule as it is, in another state: its update replaces all of it. */
async function setSchedule({ aws }: DeployedStage, id: string, state: 'ENABLED' | 'DISABLED'): Promise<void> {
  const [group = '', name = ''] = id.split('|')
  const found = await aws('scheduler get-schedule', { 'group-name': group, name })
  if (!found) throw nothingThere(`the schedule ${group}/${name} is not there`)
  await aws('scheduler update-schedule', {
    name,
    'group-name': group,
    'schedule-expression': awsText(found, 'ScheduleExpression'),
    'flexible-time-window': JSON.stringify(found['FlexibleTimeWindow']),
    target: JSON.stringify(found['Target']),
    state,
  })
}

/** Stops the rebuilds of a stage, or starts them: the schedule of the function, or the task. Resolves to what it has changed. */
export async function freeze(at: DeployedStage, isOff: boolean): Promise<string> {
  const part = (all: Awaited<ReturnType<typeof resourcesIn>>, begins: string): string =>
    awsText(
      all.find((each) => awsText(each, 'LogicalResourceId').startsWith(begins)),
      'PhysicalResourceId',
    )
  const schedule = part(await resourcesIn(at, 'Service', 'AWS::Scheduler::Schedule'), 'SnapshotsEachMinute')
  if (schedule !== '') {
    const group = part(await resourcesIn(at, 'Service', 'AWS::Scheduler::ScheduleGroup'), 'SnapshotsMinutes')
    await setSchedule(
      at,
      schedule.includes('|') ? schedule : `${group}|${schedule}`,
      isOff ? 'ENABLED' : 'DISABLED',
    )
    return schedule
  }
  const task = part(await resourcesIn(at, 'Service', 'AWS::ECS::Service'), 'SnapshotsRebuildTask')
  if (task === '') throw nothingThere(`nothing rebuilds in Z100-${at.stage}-Service`)
  const [cluster = ''] = await idsIn(at, 'Service', 'AWS::ECS::Cluster')
  await at.aws('ecs update-service', { cluster, service: task, 'desired-count': isOff ? '1' : '0' })
  return task
}

type Options = { readonly stage: DeployedStage['stage']; readonly off?: true; readonly aws: boolean }

async function runFreeze(call: CommandCall<Options>): Promise<ExitCode> {
  const { stage, off: isOff = false, aws } = call.options
  if (!aws) throw nothingThere('a local run ends with Ctrl-C: use --aws')
  const changed = await freeze({ aws: askByCli(process.env), stage }, isOff)
  const words = isOff
    ? 'Rebuilds go on: the newest minute is published at the next one.'
    : 'What is published stays. Deploy, or freeze --off, to go on; SnapshotOld is raised meanwhile.'
  return sayResult(call, { changed, is_frozen: !isOff }, words)
}

export const groups: readonly CommandGroup[] = [
  {
    name: null,
    description: 'What is published',
    commands: [
      commandOf<Options>({
        usage: 'freeze',
        description: 'With --aws: stops the rebuilds of a stage, so that what is published stays.',
        options: [
          new Option('--stage <stage>', 'stage of the service')
            .choices(Object.keys(stageSizes))
            .default('dev'),
          new Option('--off', 'start them again'),
        ],
        run: runFreeze,
      }),
    ],
  },
]
