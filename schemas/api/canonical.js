// @ts-check
/**
 * The canonical spelling of a request. Run by the edge, which finds the document that a request names, and by the API.
 * In the syntax of CloudFront Functions: no classes, destructuring, spread, default arguments, for-of, Map, `?.` or `??`.
 *
 * @typedef {object} EdgeParameter
 * @property {readonly string[]} names of those sent, the first that differs from the default wins; in the canonical form it is names[0]
 * @property {readonly string[] | null} [values] what it takes, in lower case; null: anything, the API checks it
 * @property {string | null} fallback the default; null: none
 * @property {readonly string[] | null} [same] other spellings of the default
 *
 * @typedef {object} EdgeOperation
 * @property {readonly EdgeParameter[]} documentParameters they name the document, in the order of its path
 * @property {readonly EdgeParameter[]} rest the others; the request names a document only when each has its default
 *
 * @typedef {Readonly<Record<string, EdgeOperation>>} EdgeTable operations by path: `/v1/z100/creators`
 * @typedef {Readonly<Record<string, readonly string[]>>} Query all values sent by name, decoded
 *
 * @typedef {object} Read one parameter of a request
 * @property {string | undefined} sent the name that it was sent under; undefined: it was not, for an empty parameter counts as absent
 * @property {string | null} value in canonical spelling; null: absent and without default
 * @property {boolean} isDefault
 * @property {boolean} isAllowed one value, which it takes
 */

/**
 * The document that a query names at the operation of `path` (from operationPath): `v1/z100/creators/24h`; null: none.
 * @param {string} path
 * @param {EdgeOperation} operation
 * @param {Query} query
 * @returns {string | null}
 */
export function documentOf(path, operation, query) {
  let name = path.slice(1)
  for (let at = 0; at < operation.documentParameters.length; at += 1) {
    const read = readParameter(/** @type {EdgeParameter} */ (operation.documentParameters[at]), query)
    if (read.value === null || !read.isAllowed) return null
    name += `/${read.value}`
  }
  // A list as axios and PHP write it (`token[]`), which the API refuses.
  if (Object.keys(query).some((sent) => sent.indexOf('[') > 0)) return null
  return operation.rest.every((one) => readParameter(one, query).isDefault) ? name : null
}

/**
 * The names sent that the operation does not know, sorted.
 * @param {EdgeOperation} operation
 * @param {Query} query
 * @returns {readonly string[]}
 */
export function ignoredOf(operation, query) {
  const ignored = []
  for (const name in query) {
    if (!knows(operation.documentParameters, name) && !knows(operation.rest, name)) ignored.push(name)
  }
  return ignored.sort()
}

/**
 * @param {readonly EdgeParameter[]} parameters
 * @param {string} name
 */
function knows(parameters, name) {
  return parameters.some((one) => one.names.indexOf(name) >= 0)
}

/**
 * Text with its percent-encoding resolved once, or null when that is malformed.
 * @param {string} text
 * @returns {string | null}
 */
export function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch (_) {
    return null
  }
}

/**
 * The path of an operation: decoded once, without a trailing slash; empty if its encoding is malformed.
 * @param {string} path as sent
 * @returns {string}
 */
export function operationPath(path) {
  const text = decoded(path) || ''
  return text[text.length - 1] === '/' ? text.slice(0, -1) : text
}

/**
 * Of several names sent, the first that differs from the default wins: a tool that fills in every default cannot outweigh
 * the name that was meant.
 * @param {EdgeParameter} parameter
 * @param {Query} query
 * @returns {Read}
 */
export function readParameter(parameter, query) {
  /** @type {Read} */
  let read = { sent: undefined, value: parameter.fallback, isDefault: true, isAllowed: true }
  for (let at = 0; at < parameter.names.length && read.isDefault; at += 1) {
    const name = /** @type {string} */ (parameter.names[at])
    const values = query[name]
    if (values && values.join('') !== '') read = readUnder(name, parameter, values)
  }
  return read
}

/**
 * No word of a table contains a comma, so several values, joined by commas, are never allowed.
 * @param {string} name
 * @param {EdgeParameter} parameter
 * @param {readonly string[]} values
 * @returns {Read}
 */
function readUnder(name, parameter, values) {
  const text = values.join(', ')
  const word = text.trim().toLowerCase()
  if (word === parameter.fallback || (parameter.same || []).indexOf(word) >= 0)
    return { sent: name, value: parameter.fallback, isDefault: true, isAllowed: true }
  const words = parameter.values
  return {
    sent: name,
    value: words ? word : text,
    isDefault: false,
    isAllowed: words ? words.indexOf(word) >= 0 : values.length === 1,
  }
}
