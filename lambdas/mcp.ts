import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda'
import { openMcp } from '../clients/mcp/http.ts'
import { InvalidParameterError } from '../schemas/api/errors.ts'
import type { ApiEvent } from './api/admission.ts'
import { errorResponse, functionHeaders, requestFrom, siteOf } from './api/http.ts'

/** A message as the gateway passes it. */
type McpEvent = ApiEvent & Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>

const serve = openMcp(
  ({ headers }) => siteOf(Object.fromEntries(headers)),
  ({ name, message }) =>
    process.stdout.write(`${JSON.stringify({ service: 'mcp', error: name, message })}\n`),
)

/**
 * Invoked by API Gateway for a message to the tools for agents. It reads the service at the address that the message came
 * to, as the edge states it, and has no rights of its own.
 */
export async function handler(event: McpEvent): Promise<APIGatewayProxyResult> {
  const request = requestFrom(event)
  const body = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : (event.body ?? '')
  // Each of a list of messages would have to be answered, so one request could ask for hundreds.
  if (body.trimStart().startsWith('[')) {
    const parameter = { parameter: 'body', provided: 'a list', allowed: 'one message of JSON-RPC' }
    return errorResponse(request, new InvalidParameterError(parameter))
  }
  const { method, headers } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const asked = new Request(siteOf(headers) + request.path, { method, headers, ...(hasBody ? { body } : {}) })
  const answered = await serve(asked)
  return {
    statusCode: answered.status,
    headers: { ...Object.fromEntries(answered.headers), ...functionHeaders(request.id) },
    body: await answered.text(),
  }
}
