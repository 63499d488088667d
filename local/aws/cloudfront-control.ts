import { randomUUID } from 'node:crypto'
import { type Emulator, listen } from './listening.ts'
import {
  element,
  textElement,
  textsOf,
  type WireAnswer,
  WireError,
  wireServer,
  xmlDocument,
} from './rest-wire.ts'

/** Control operations of a distribution: invalidate these paths. */
export type Controlled = { invalidate(paths: readonly string[]): void }

export type ControlOptions = {
  readonly distributionId: string
  readonly distribution: Controlled
}

const NAMESPACE = 'http://cloudfront.amazonaws.com/doc/2020-05-31/'

/** The control API of one distribution: CreateInvalidation, which completes immediately. */
export function startCloudfrontControl(options: ControlOptions): Promise<Emulator> {
  /** Ids by the caller's reference: a repeated invalidation is the same one. */
  const made = new Map<string, string>()
  const server = wireServer(
    {
      'POST /2020-05-31/distribution/{distribution}/invalidation': ({ bound, text }) => {
        if (bound['distribution'] !== options.distributionId)
          throw new WireError(404, 'NoSuchDistribution', 'The specified distribution does not exist.')
        const { reference, paths } = batchFrom(text)
        const id = made.get(reference) ?? `I${randomUUID().slice(0, 13).toUpperCase()}`
        if (!made.has(reference)) options.distribution.invalidate(paths)
        made.set(reference, id)
        const parts = { Id: id, Status: 'Completed', CreateTime: new Date().toISOString() }
        const root = element(
          'Invalidation',
          Object.entries(parts).map(([name, value]) => textElement(name, value)),
        )
        return { status: 201, body: xmlDocument(root, NAMESPACE) }
      },
    },
    errorXml,
  )
  return listen('cloudfront-control', server)
}

function batchFrom(xml: string) {
  const [reference = ''] = textsOf(xml, 'CallerReference')
  const paths = textsOf(xml, 'Path')
  const isPath = (path: string) => path.startsWith('/') && !path.slice(0, -1).includes('*')
  if (reference !== '' && paths.length > 0 && paths.every(isPath)) return { reference, paths }
  throw new WireError(400, 'InvalidArgument', 'A path begins with a slash and has * at its end alone')
}

const errorXml = ({ status, code, message }: WireError): WireAnswer => ({
  status,
  body: xmlDocument(
    element('ErrorResponse', [
      element('Error', [textElement('Code', code), textElement('Message', message)]),
    ]),
    NAMESPACE,
  ),
})
