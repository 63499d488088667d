/** Writes the edge's functions, as they are deployed, into a folder, each followed by calls that fail where njs answers otherwise than expected. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { distribution } from '../../../lambdas/edge/distribution.ts'
import { edgeKeys, edgeKeyText, keyDigest, newKey } from '../../../schemas/api/access.ts'

const [folder = '.'] = process.argv.slice(2)
const key = newKey('test')
const entry = edgeKeyText({ account: 'a1', tier: 'enterprise', state: 'active' })
const { request: viewerRequest, response: viewerResponse } = distribution().functions.api

const cloudfront = `
var entries = ${JSON.stringify({ [edgeKeys.key(keyDigest(key))]: entry })}
async function get(key) { if (entries[key] === undefined) throw new Error('KeyNotFound'); return entries[key] }
export default {
  kvs: function () { return { get: get } },
  selectRequestOriginById: function () {},
  createRequestOriginGroup: function () {},
}
`

const uri = '/v1/z100/creators/'
const headers = { authorization: { value: `Bearer ${key}` }, 'x-z100-scope': { value: 'forged' } }
const querystring = { period: { value: '7D' }, 'u%74m': { value: 'a+b' } }
const requests = [
  [{ uri, querystring, headers }, '/v1/z100/creators/7d', 'shared'],
  [{ uri, querystring: { limit: { value: '5' } }, headers }, uri, 'r1'],
  [{ uri: '/v1/%zz', querystring: {}, headers }, '/v1/%zz', 'r1'],
  [{ uri: '/v1/status', querystring: {}, headers: {} }, '/v1/status', 'shared'],
  [{ uri, querystring: {}, headers: {} }, undefined, 401],
  [{ uri, querystring: {}, headers: {}, method: 'OPTIONS' }, undefined, 204],
].map(([request, ...expected]) => [{ method: 'GET', ...(request as object) }, ...expected])

const checks = `
async function check(sent, uri, scope) {
  const made = await handler({ context: { requestId: 'r1' }, viewer: { ip: '192.0.2.1' }, request: sent })
  const found = [made.uri, made.statusCode || made.headers['x-z100-scope'].value]
  if (String(found) !== String([uri, scope])) throw new Error(JSON.stringify(sent) + ' gave ' + String(found))
}
async function main() {
  const cases = ${JSON.stringify(requests.map(([request, path, scope]) => ({ request, path, scope })))}
  for (let at = 0; at < cases.length; at += 1) await check(cases[at].request, cases[at].path, cases[at].scope)
  console.log('viewer-request: ' + cases.length + ' requests as expected')
}
main()
`
const response = { statusCode: 200, headers: { 'x-amz-meta-snapshot': { value: '7' } } }
const responseCheck = `
const made = handler(${JSON.stringify({ context: { requestId: 'r1' }, request: { headers: {} }, response })})
if (made.headers['x-snapshot-id'].value !== '7') throw new Error(JSON.stringify(made))
console.log('viewer-response: as expected')
`
writeFileSync(join(folder, 'cloudfront'), cloudfront)
writeFileSync(join(folder, 'run-viewer-request.js'), viewerRequest + checks)
writeFileSync(join(folder, 'run-viewer-response.js'), viewerResponse + responseCheck)
