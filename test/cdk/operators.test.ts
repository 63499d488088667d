// Whole form only.
/** What operators read, choose, are told and pay. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandGroups } from '../../admin/program.ts'
import {
  type ChoiceName,
  choices,
  deployArguments,
  parameterOf,
  rulesQuestion,
  withEndpoints,
} from '../../cdk/choices.ts'
import { stages } from '../../cdk/config.ts'
import type { serviceFunction } from '../../cdk/parts/functions.ts'
import { costLines, monthUsd } from '../../cdk/price/cost.ts'
import { assumptions, type Load, loads } from '../../cdk/price/cost-assumptions.ts'
import { costTexts } from '../../cdk/price/cost-table.ts'
import type { AlarmMetric } from '../../cdk/watch/alarm-row.ts'
import { alarms, alarmsOf } from '../../cdk/watch/alarms.ts'
import { budgetRunbook } from '../../cdk/watch/runbook.ts'
import { distribution } from '../../lambdas/edge/distribution.ts'
import { ORIGIN_HEADER } from '../../schemas/api/access.ts'
import { processes } from '../../schemas/deployment/env.ts'
import { metrics } from '../../schemas/deployment/metrics.ts'
import {
  CLOUDFRONT_PREFIX_LIST,
  rebuildTask,
  runsNeeded,
  vcpusNeeded,
} from '../../schemas/deployment/stages.ts'
import { statementsOf } from './asked-of-aws.ts'
import {
  only,
  type Properties,
  propertiesOf,
  resourcesOf,
  synthesise,
  synthesiseProd,
  type TemplateText,
  valueAt,
} from './synthesised.ts'

const made = await synthesiseProd()

const readme = readFileSync(join(import.meta.dirname, '../../cdk/README.md'), 'utf8')
const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8')

describe('the documentation', () => {
  const sections = runbook.split(/^## /m).slice(1)
  const said = new Map(
    sections.map((section) => {
      const [heading = '', , line = ''] = section.split('\n')
      return [heading, [...line.matchAll(/`([A-Z][A-Za-z]+)`/g)].map(([, name]) => name)] as const
    }),
  )

  it('every alarm has its section, and every section the alarms it names', () => {
    const rows = Object.entries(alarms)
    for (const heading of said.keys()) {
      const named = rows.filter(([, { runbook }]) => runbook === heading).map(([name]) => name)
      expect([heading, said.get(heading)]).toEqual([heading, named])
      const [, , line = ''] = sections.find((each) => each.startsWith(`${heading}\n`))!.split('\n')
      expect(line).toMatch(named.length > 0 || heading === budgetRunbook ? /^Alarms?:/ : /^No alarm:/)
    }
    for (const [name, { runbook }] of rows) expect([name, said.has(runbook)]).toEqual([name, true])
    expect(said.has(budgetRunbook)).toBe(true)
  })

  it('every block of the runbook is a script, names parts that there are, and commands as the program has them', async () => {
    const { service } = await synthesise(stages.small)
    const resources = [...Object.entries(made.service.Resources), ...Object.entries(service.Resources)]
    const blocks = [...runbook.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)
    expect(blocks.length).toBeGreaterThan(20)
    const groups = await commandGroups([])
    const usages = groups.flatMap(({ name, commands }) =>
      commands.map(({ usage }) => [name, usage.split(' ')[0]].filter(Boolean).join(' ')),
    )
    for (const block of blocks) {
      expect([spawnSync('bash', ['-n'], { input: block }).stderr.toString(), block]).toEqual(['', block])
      const named = [
        ...[...block.matchAll(/\$\(physical (\S+) (\w+)\)/g)].map(
          ([, kind, id]) => [`AWS::${kind}`, id] as const,
        ),
        ...[...block.matchAll(/^logs (\w+)$/gm)].map(([, id]) => ['AWS::Logs::LogGroup', id] as const),
      ]
      for (const [kind, id = ''] of named) {
        const found = resources.filter(([each, { Type }]) => Type === kind && each.startsWith(id))
        expect([kind, id, new Set(found.map(([each]) => each)).size]).toEqual([kind, id, 1])
      }
      for (const [, words = ''] of block.matchAll(/npm run admin -- --aws ([^\n&]+)/g))
        expect([words, usages.some((usage) => `${words} `.startsWith(`${usage} `))]).toEqual([words, true])
    }
    for (const paragraph of runbook.replaceAll(/```.*?```/gs, '').split(/\n\n|\n- /))
      expect([paragraph.split(/\s+/).length <= 120 || paragraph.startsWith('|'), paragraph]).toEqual([
        true,
        paragraph,
      ])
  })

  it('a part of the stack is found on whatever page of its list it stands', () => {
    const [, define = ''] = /(physical\(\) .*?^.*?; \})$/ms.exec(runbook) ?? []
    for (const pages of ['None\nz100-log\nNone', 'z100-log\tz100-log-2', '\nz100-log']) {
      const input = `aws() { printf '${pages.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}\\n'; }\nSTAGE=dev\n${define}\nphysical Logs::LogGroup Log`
      expect(spawnSync('bash', { input }).stdout.toString()).toBe('z100-log\n')
    }
  })

  it('every alarm is made, with its section of the runbook and an action', () => {
    const found = propertiesOf(made.service, 'AWS::CloudWatch::Alarm')
    expect(found).toHaveLength(Object.keys(alarms).length)
    for (const { AlarmDescription, AlarmActions } of found) {
      const [, anchor] = /docs\/runbook\.md#(.+)$/.exec(String(AlarmDescription)) ?? []
      expect([...said.keys()].map((heading) => heading.toLowerCase().replaceAll(' ', '-'))).toContain(anchor)
      expect(AlarmActions).toHaveLength(1)
    }
  })

  it('the cost tables are those that cost.ts computes', () => {
    for (const [mark, text] of Object.entries(costTexts())) {
      const [, current = ''] = readme.split(`<!-- ${mark} -->`)
      expect([mark, current.split(`<!-- /${mark} -->`)[0]?.trim()]).toEqual([mark, text])
    }
  })

  it('the quotas that prod needs are those that doctor looks for', () => {
    expect(readme).toContain(`${runsNeeded(stages.prod)} or more concurrent executions`)
    expect(readme).toContain(`may grow to ${vcpusNeeded(stages.prod)} vCPUs`)
  })

  it('every priced resource is counted as often as the stacks create it', () => {
    const count = (type: string) =>
      propertiesOf(made.storage, type).length + propertiesOf(made.service, type).length
    expect(assumptions.secrets).toBe(count('AWS::SecretsManager::Secret'))
    const { Rules } = only(made.service, 'AWS::WAFv2::WebACL')
    const firewall = costLines.find(({ part }) => part === 'Firewall')!
    // List prices: $5 a month, and $1 for each rule.
    const [idle] = loads as [Load]
    expect(firewall.usd(idle, stages.prod)).toBe(5 + (Rules as unknown[]).length)
  })

  it('idle costs at most 15, 45 and 95 dollars; a budget is above what its stage is made for', () => {
    const [idle, few, medium] = loads as [Load, Load, Load]
    const { small, dev, prod } = stages
    for (const [stage, most, load] of [
      [small, 15, idle],
      [dev, 45, few],
      [prod, 95, medium],
    ] as const) {
      expect([stage.name, monthUsd(idle, stage) <= most]).toEqual([stage.name, true])
      expect(stage.budgetUsd).toBeGreaterThan(monthUsd(load, stage))
    }
  })

  it('the metrics of a stage are those of its alarms, and of what scales and what strangers use up', () => {
    for (const stage of Object.values(stages)) {
      const rows = alarmsOf(stage).map((name): AlarmMetric => alarms[name])
      const needed = rows.flatMap((row) => ('service' in row ? [row.metric] : []))
      expect(new Set([...needed, 'Readers'])).toEqual(new Set(stage.watched.metrics))
      const few = stage.watched.alarms === 'all' ? [] : stage.watched.alarms
      expect(alarmsOf(stage)).toEqual(expect.arrayContaining([...few]))
    }
  })

  it('small has ten alarms and ten metrics at most, and a query for every other figure of its log lines', async () => {
    const { service } = await synthesise(stages.small)
    expect(propertiesOf(service, 'AWS::CloudWatch::Alarm')).toHaveLength(10)
    const queries = propertiesOf(service, 'AWS::Logs::QueryDefinition').map(({ QueryString }) =>
      String(QueryString),
    )
    const figures = Object.entries(metrics).flatMap(([process, names]) =>
      Object.keys(names).map((name) => [process, name]),
    )
    const watched: readonly string[] = stages.small.watched.metrics
    expect(figures.filter(([, name = '']) => watched.includes(name)).length).toBeLessThanOrEqual(10)
    for (const [process = '', name = ''] of figures) {
      const query = queries.find((each) => each.includes(`service = "${process}"`)) ?? ''
      expect([process, name, query.includes(name)]).toEqual([process, name, !watched.includes(name)])
    }
  })
})

describe('the settings of a stage', () => {
  const count = (template: TemplateText, type: string) => resourcesOf(template, type).length

  it('a task that rebuilds, in place of the function and its schedule, with the same rights and nothing else changed', async () => {
    const stage = { ...stages.prod, rebuild: rebuildTask }
    const { service } = await synthesise(stage, { isValidated: true })
    const idsIn = (template: TemplateText) => Object.keys(template.Resources)
    const gone = idsIn(made.service).filter((id) => !idsIn(service).includes(id))
    const come = idsIn(service).filter((id) => !idsIn(made.service).includes(id))
    const plain = (ids: readonly string[]) => ids.map((id) => id.replace(/[0-9A-F]{8}$/, '')).sort()
    expect(plain(gone)).toEqual([
      'MonitoringRebuildFails',
      'MonitoringRebuildMissed',
      'SnapshotsEachMinute',
      'SnapshotsMinutes',
      'SnapshotsMissed',
      'SnapshotsMissedPolicy',
      'SnapshotsRebuild',
      'SnapshotsRebuildEventInvokeConfig',
      'SnapshotsRebuildLog',
      'SnapshotsRebuildRole',
      'SnapshotsRebuildRoleDefaultPolicy',
      'SnapshotsSchedulerRole',
      'SnapshotsSchedulerRoleDefaultPolicy',
    ])
    expect(new Set(plain(come).map((id) => id.slice(0, 20)))).toEqual(new Set(['SnapshotsRebuildTask']))
    expect(only(service, 'AWS::ECS::TaskDefinition', 'SnapshotsRebuildTask')).toMatchObject({
      Cpu: '2048',
      Memory: '16384',
      ContainerDefinitions: [
        {
          Command: ['node', '--max-old-space-size=8192', '--max-semi-space-size=64', '/app/index.mjs'],
          User: '1000',
          ReadonlyRootFilesystem: true,
        },
        { Name: 'bundle' },
      ],
    })
    const rightsOf = (template: TemplateText, role: string) =>
      statementsOf(template, role)
        .flatMap(({ Action, Resource }) =>
          [Action]
            .flat()
            .flatMap((action) => [Resource].flat().map((each) => JSON.stringify([action, each]))),
        )
        .filter((right) => !/logs:|sqs:|cdk-hnb659fds-assets/.test(right))
        .sort()
    const rights = rightsOf(service, 'SnapshotsRebuildTaskDefinitionTaskRole')
    expect(rights.length).toBeGreaterThan(10)
    expect(rights).toEqual(rightsOf(made.service, 'SnapshotsRebuildRole'))
    const memory = only(service, 'AWS::CloudWatch::Alarm', 'MonitoringRebuildMemory')
    expect(memory['Threshold']).toBe(0.8 * 16_384 * 2 ** 20)
  })

  it('a task of which the runbook states how many tokens it holds, and what it costs', () => {
    if (rebuildTask.by !== 'task') throw new RangeError('not a task')
    const stage = { ...stages.prod, rebuild: rebuildTask }
    const [, , , large] = loads as [Load, Load, Load, Load]
    const more = monthUsd(large, stage) - monthUsd(large, stages.prod)
    expect(runbook).toContain(`16 GB, for 7.5 million, $${Math.round(more)} a month`)
    // 626 MB, and 2.0 MB for each 1,000 tokens.
    expect(626 + 2 * 7_500).toBeLessThanOrEqual(rebuildTask.memoryMb)
    expect(vcpusNeeded(stage) - vcpusNeeded(stages.prod)).toBe((2 * rebuildTask.cpu) / 1_024)
  })

  it('a stream without a balancer: a container of ingest’s task, which names itself, for the edge alone', async () => {
    const { service } = await synthesise(stages.small)
    expect(count(service, 'AWS::ElasticLoadBalancingV2::LoadBalancer')).toBe(0)
    expect(count(service, 'AWS::ECS::Service')).toBe(1)
    const containers = valueAt(
      only(service, 'AWS::ECS::TaskDefinition'),
      'ContainerDefinitions',
    ) as Properties[]
    expect(containers.map(({ Name }) => Name)).toEqual([
      'process',
      'bundle',
      'stream',
      'stream-bundle',
      'name',
    ])
    const [, , stream, , namer] = containers
    const [secret] = (valueAt(stream, 'Environment') as Properties[]).filter(
      ({ Name }) => Name === 'ORIGIN_SECRET',
    )
    expect(namer).toMatchObject({
      ...{ Essential: false, EntryPoint: ['sh', '-c'] },
      DependsOn: [{ ContainerName: 'stream', Condition: 'HEALTHY' }],
    })
    expect(namer?.['Environment']).toContainEqual({ Name: 'STREAM_NAME', Value: { Ref: 'StreamName' } })
    // Without a name the edge asks the API, which says that there is no stream.
    const origins = valueAt(
      only(service, 'AWS::CloudFront::Distribution'),
      ...['DistributionConfig', 'Origins'],
    ) as Properties[]
    const [named, other] = origins.flatMap((each) => {
      const [condition, ...both] = (each['Fn::If'] ?? []) as [string?, ...Properties[]]
      return condition === 'HasStreamName' ? both : []
    })
    expect(named).toMatchObject({
      DomainName: { Ref: 'StreamName' },
      CustomOriginConfig: { HTTPPort: 8080, OriginProtocolPolicy: 'http-only' },
      OriginCustomHeaders: [{ HeaderName: ORIGIN_HEADER, HeaderValue: secret?.['Value'] }],
    })
    const behaviours = valueAt(
      only(service, 'AWS::CloudFront::Distribution'),
      ...['DistributionConfig', 'CacheBehaviors'],
    ) as Properties[]
    const streams = behaviours.filter(({ PathPattern }) => String(PathPattern).includes('stream'))
    expect(streams.length).toBeGreaterThan(1)
    for (const { TargetOriginId } of streams)
      expect([named?.['Id'], other?.['Id']]).toEqual([TargetOriginId, TargetOriginId])
    expect(JSON.stringify(other?.['DomainName'])).toContain('.execute-api.')
    expect(propertiesOf(service, 'AWS::EC2::SecurityGroupIngress')).toMatchObject([
      { FromPort: 8080, ToPort: 8080, SourcePrefixListId: CLOUDFRONT_PREFIX_LIST },
    ])
    const statements = statementsOf(service, 'IngestTaskDefinitionTaskRole')
    expect(statements.filter(({ Action }) => String(Action).startsWith('route53'))).toMatchObject([
      { Action: 'route53:ChangeResourceRecordSets', Resource: expect.anything() },
    ])
  })

  it('no stream, exact counting, a firewall, images that Docker builds', async () => {
    const stage = {
      ...stages.dev,
      stream: null,
      isCounted: true,
      hasFirewall: true,
      watched: stages.prod.watched,
    }
    const { service } = await synthesise(stage, { hasDocker: true, isValidated: true })
    expect(count(service, 'AWS::ElasticLoadBalancingV2::LoadBalancer')).toBe(0)
    expect(count(service, 'AWS::ECS::Service')).toBe(1)
    expect(count(service, 'AWS::Logs::SubscriptionFilter')).toBe(3)
    const config = valueAt(only(service, 'AWS::CloudFront::Distribution'), 'DistributionConfig')
    expect(valueAt(config, 'WebACLId')).toBeDefined()
    expect((valueAt(config, 'Origins') as Properties[]).map(({ Id }) => Id)).not.toContain('stream')
    const [container, ...others] = valueAt(
      only(service, 'AWS::ECS::TaskDefinition'),
      'ContainerDefinitions',
    ) as Properties[]
    expect(others).toEqual([])
    expect(JSON.stringify(container?.['Image'])).toContain('cdk-hnb659fds-container-assets')
    // The edge asks for the key of every tier there, and keeps nothing of theirs.
    const [viewerRequest] = propertiesOf(service, 'AWS::CloudFront::Function')
    expect(viewerRequest?.['FunctionCode']).toBe(distribution({ isCounted: true }).functions.api.request)
    expect(count(service, 'AWS::CloudWatch::Alarm')).toBe(alarmsOf(stage).length)
  })

  it('an option chosen once is a parameter, which a deployment without it leaves unchanged', async () => {
    for (const [name, { stack }] of Object.entries(choices)) {
      const ofService = name.startsWith('stream') ? (await synthesise(stages.small)).service : made.service
      const template = stack === 'Storage' ? made.storage : ofService
      const parameter = valueAt(template, 'Parameters', parameterOf(name as ChoiceName)) as Properties
      const isRequired = name === 'rpcUrls'
      expect([name, parameter['Type'], 'Default' in parameter]).toEqual([name, 'String', !isRequired])
      expect([name, parameter['NoEcho'] === true]).toEqual([name, isRequired || name === 'webhookSecret'])
    }
    const config = valueAt(only(made.service, 'AWS::CloudFront::Distribution'), 'DistributionConfig')
    expect(valueAt(config, 'Aliases', 'Fn::If')).toEqual([
      'HasCertificateArn',
      { 'Fn::Split': [',', { Ref: 'DomainNames' }] },
      { Ref: 'AWS::NoValue' },
    ])
    expect(valueAt(config, 'ViewerCertificate', 'Fn::If', 1, 'MinimumProtocolVersion')).toBe('TLSv1.2_2021')
    const [mail] = resourcesOf(made.service, 'AWS::SNS::Subscription')
    expect(made.service.Resources[mail!.id]).toMatchObject({
      Condition: 'HasAlarmEmail',
      Properties: { Endpoint: { Ref: 'AlarmEmail' } },
    })
    const secret = only(made.storage, 'AWS::SecretsManager::Secret')
    expect(secret['SecretString']).toEqual({ Ref: 'RpcUrls' })
    const [ingest] = valueAt(
      propertiesOf(made.service, 'AWS::ECS::TaskDefinition')[0],
      'ContainerDefinitions',
    ) as Properties[]
    expect(ingest?.['Environment']).toContainEqual({ Name: 'START_BLOCK', Value: { Ref: 'StartBlock' } })
    expect(
      deployArguments([
        '-c',
        'stage=prod',
        '-c',
        'alarmEmail=a@b.c',
        '-c',
        'rpcUrls=https://x/?k=v,https://y',
      ]),
    ).toEqual([
      ...['deploy', 'Z100-prod-Service', '-c', 'stage=prod'],
      ...['--parameters', 'Z100-prod-Service:AlarmEmail=a@b.c'],
      ...['--parameters', 'Z100-prod-Storage:RpcUrls=https://x/?k=v,https://y'],
    ])
  })

  it('are a deployment of the service and what it needs; what runs beside it is deployed by its name', () => {
    expect(deployArguments([])).toEqual(['deploy', 'Z100-dev-Service'])
    const beside = ['Z100-prod-Beside', '-c', 'stage=prod']
    expect(deployArguments(beside)).toEqual(['deploy', '--exclusively', ...beside])
    // Only where the service is deployed do its rules have to be live.
    expect(rulesQuestion(['-c', 'stage=prod'])).toEqual(['doctor', '--aws', '--rules', '--stage', 'prod'])
    const given = rulesQuestion(['-c', 'rpcUrls=https://a', '-c', 'alarmEmail=a@b.c'])
    expect(given?.slice(-3)).toEqual(['dev', '-c', 'rpcUrls=https://a'])
    expect(rulesQuestion(['Z100-dev-Service'])).toContain('--rules')
    for (const other of ['Beside', 'Storage']) expect(rulesQuestion([`Z100-dev-${other}`])).toBeNull()
  })

  it('deploy asks for endpoints on a terminal, unless they are given; an empty answer changes nothing', async () => {
    const asked: string[] = []
    const answering = (answer: string) => async (question: string) => {
      asked.push(question)
      return answer
    }
    const given = ['-c', 'stage=prod']
    expect(await withEndpoints(given, answering(' https://a/key '))).toEqual([
      ...given,
      '-c',
      'rpcUrls=https://a/key',
    ])
    expect(await withEndpoints(given, answering(''))).toEqual(given)
    expect(asked).toHaveLength(2)
    const named = ['-c', 'rpcUrls=https://b']
    expect(await withEndpoints(named, answering('https://a'))).toEqual(named)
    expect(await withEndpoints(['Z100-dev-Service'], answering('https://a'))).toEqual(['Z100-dev-Service'])
    expect(await withEndpoints(given, null)).toEqual(given)
    expect(asked).toHaveLength(2)
  })

  it('a table that was restored under another name takes the place of the stack’s, in name and in rights', () => {
    const conditional = JSON.stringify({ 'Fn::If': ['HasMarketTable', { Ref: 'MarketTable' }] }).slice(0, -2)
    const text = JSON.stringify(made.service)
    const direct = text.replaceAll(conditional, '').match(/ImportValue":"[^"]*MarketTable/g) ?? []
    const chosen = text.match(/"Fn::If":\["HasMarketTable",/g) ?? []
    expect(chosen.length).toBeGreaterThanOrEqual(8)
    // Nothing names the stack's own table but as what stands where none was chosen.
    expect(direct).toHaveLength(chosen.length)
  })

  it('a variable that is missing does not compile', () => {
    type Wanted = Parameters<typeof serviceFunction<'api'>>[2]['environment']
    // @ts-expect-error: the rest of them
    const few: Wanted = { MARKET_TABLE: 'm' }
    expect(Object.keys(few)).not.toEqual(expect.arrayContaining([...processes.api.required]))
  })
})
