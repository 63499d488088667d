/** What a process asks of tables and buckets, seen on the wire, and whether the policies of a template allow it. */
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { type Emulator, listen } from '../../dev/emulators/listening.ts'
import { type Properties, propertiesOf, type TemplateText, valueAt } from './synthesised.ts'

/** One action on a table, or on an object or all objects of a bucket (`key` null). */
export type Ask = { readonly action: string; readonly name: string; readonly key: string | null }

/** Passes requests on to `upstream` unchanged; `note` is told of each. */
export async function startWire(upstream: string, note: (ask: Ask) => void): Promise<Emulator> {
  const { hostname, port } = new URL(upstream)
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      for (const ask of asksOf(request, body)) note(ask)
      const onward = httpRequest(
        { hostname, port, path: request.url, method: request.method, headers: request.headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        },
      )
      onward.on('error', () => response.destroy())
      onward.end(body)
    })
  })
  return listen('wire', server)
}

const objectActions: Readonly<Record<string, string>> = { GET: 's3:GetObject', PUT: 's3:PutObject' }

function asksOf({ headers, method = '', url = '' }: IncomingMessage, body: Buffer): readonly Ask[] {
  const [, operation] = String(headers['x-amz-target'] ?? '').split('.')
  if (operation) {
    const sent = JSON.parse(body.toString()) as { TableName?: string; RequestItems?: object }
    const names = sent.TableName ? [sent.TableName] : Object.keys(sent.RequestItems ?? {})
    return names.map((name) => ({ action: `dynamodb:${operation}`, name, key: null }))
  }
  const [, bucket = '', key = ''] = /^\/([^/?]+)\/?([^?]*)/.exec(url) ?? []
  if (key === '') return [{ action: 's3:ListBucket', name: bucket, key: null }]
  return [{ action: objectActions[method] ?? `s3:${method}`, name: bucket, key: decodeURIComponent(key) }]
}

/** Statements of the role whose logical id begins so. */
export function statementsOf(template: TemplateText, role: string): readonly Properties[] {
  const policies = propertiesOf(template, 'AWS::IAM::Policy').filter(({ Roles }) =>
    JSON.stringify(Roles).includes(`"Ref":"${role}`),
  )
  return policies.flatMap(
    ({ PolicyDocument }) => valueAt(PolicyDocument, 'Statement') as readonly Properties[],
  )
}

/** Whether the statements allow it; `resources`: what the logical id of a table or bucket has in it, by its name on this machine. */
export const isAllowed = (
  statements: readonly Properties[],
  { action, name, key }: Ask,
  resources: Readonly<Record<string, string>>,
): boolean =>
  statements.some(
    ({ Action, Resource }) =>
      [Action].flat().includes(action) &&
      [Resource].flat().some((resource) => {
        const text = JSON.stringify(resource)
        const [, pattern] = /,"\/([^"]*)"\]\]\}$/.exec(text) ?? []
        if (!text.includes(resources[name] ?? name)) return false
        if (key === null || pattern === undefined) return key === null && pattern === undefined
        return pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : key === pattern
      }),
  )

/** Actions on tables and buckets that the statements allow and nobody has asked: `dynamodb:Query MarketTable`. */
export const needlessOf = (
  statements: readonly Properties[],
  asks: readonly Ask[],
  resources: Readonly<Record<string, string>>,
): readonly string[] =>
  statements.flatMap((statement) =>
    ([statement['Action']].flat() as string[])
      .filter((action) => /^(dynamodb|s3):/.test(action))
      .flatMap((action) =>
        [statement['Resource']].flat().flatMap((Resource) => {
          const alone = [{ ...statement, Action: action, Resource }]
          if (asks.some((ask) => isAllowed(alone, ask, resources))) return []
          return [`${action} ${JSON.stringify(Resource)}`]
        }),
      ),
  )
