import { randomUUID } from 'node:crypto'
import { listen, type StandIn } from './listening.ts'
import { type WireAnswer, WireError, wireServer } from './rest-wire.ts'
import { element, textElement, textsOf, xmlDocument } from './xml.ts'

/** What a distribution lets an operator do: drop what is kept under these paths. */
export type Controlled = { invalidate(paths: readonly string[]): void }

export type ControlOptions = {
  readonly port?: number
  readonly distributionId: string
  readonly distribution: Controlled
}

/** An invalidation as it was asked for; here it is complete at once. */
type Invalidation = {
  readonly id: string
  readonly reference: string
  readonly paths: readonly string[]
}

const NAMESPACE = 'http://cloudfront.amazonaws.com/doc/2020-05-31/'
const INVALIDATION = '/2020-05-31/distribution/{distribution}/invalidation'

/** The control API of one distribution: CreateInvalidation and GetInvalidation. */
export function startCloudfrontControl(options: ControlOptions): Promise<StandIn> {
  const made = new Map<string, Invalidation>()
  const check = (id: string | undefined) => {
    if (id === options.distributionId) return
    throw new WireError(404, 'NoSuchDistribution', 'The specified distribution does not exist.')
  }
  const server = wireServer(
    {
      [`POST ${INVALIDATION}`]: ({ bound, text }) => {
        check(bound['distribution'])
        const asked = batchFrom(text)
        const again = [...made.values()].find(({ reference }) => reference === asked.reference)
        const invalidation = again ?? { ...asked, id: `I${randomUUID().slice(0, 13).toUpperCase()}` }
        if (!again) options.distribution.invalidate(asked.paths)
        made.set(invalidation.id, invalidation)
        return { status: 201, body: xmlOf(invalidation) }
      },
      [`GET ${INVALIDATION}/{id}`]: ({ bound }) => {
        check(bound['distribution'])
        const invalidation = made.get(bound['id'] ?? '')
        if (invalidation) return { body: xmlOf(invalidation) }
        throw new WireError(404, 'NoSuchInvalidation', 'The specified invalidation does not exist.')
      },
    },
    errorXml,
  )
  return listen('cloudfront-control', server, options)
}

function batchFrom(xml: string): Omit<Invalidation, 'id'> {
  const [reference = ''] = textsOf(xml, 'CallerReference')
  const paths = textsOf(xml, 'Path')
  const isPath = (path: string) => path.startsWith('/') && !path.slice(0, -1).includes('*')
  if (reference !== '' && paths.length > 0 && paths.every(isPath)) return { reference, paths }
  throw new WireError(400, 'InvalidArgument', 'A path begins with a slash and has * at its end alone')
}

const xmlOf = ({ id, reference, paths }: Invalidation): string =>
  xmlDocument(
    element('Invalidation', [
      textElement('Id', id),
      textElement('Status', 'Completed'),
      textElement('CreateTime', new Date().toISOString()),
      element('InvalidationBatch', [
        element('Paths', [
          textElement('Quantity', paths.length),
          element(
            'Items',
            paths.map((path) => textElement('Path', path)),
          ),
        ]),
        textElement('CallerReference', reference),
      ]),
    ]),
    NAMESPACE,
  )

const errorXml = ({ status, code, message }: WireError): WireAnswer => ({
  status,
  body: xmlDocument(
    element('ErrorResponse', [
      element('Error', [textElement('Code', code), textElement('Message', message)]),
    ]),
    NAMESPACE,
  ),
})
