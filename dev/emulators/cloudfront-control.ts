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

export type ControlOptions = { readonly distributionId: string; readonly distribution: Controlled }

const NAMESPACE = 'http://cloudfront.amazonaws.com/doc/2020-05-31/'

/** The control API of one distribution: CreateInvalidation, which completes immediately. */
export function startCloudfrontControl({ distributionId, distribution }: ControlOptions): Promise<Emulator> {
  const server = wireServer(
    {
      'POST /2020-05-31/distribution/{distribution}/invalidation': ({ bound, text }) => {
        if (bound['distribution'] !== distributionId)
          throw new WireError(404, 'NoSuchDistribution', 'The specified distribution does not exist.')
        distribution.invalidate(textsOf(text, 'Path'))
        const parts = [textElement('Id', `I${randomUUID()}`), textElement('Status', 'Completed')]
        return { status: 201, body: xmlDocument(element('Invalidation', parts), NAMESPACE) }
      },
    },
    errorXml,
  )
  return listen('cloudfront-control', server)
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
