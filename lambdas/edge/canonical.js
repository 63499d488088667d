// @ts-check
/**
 * One request, one spelling. Run by the edge, which answers a request that names a document from the bucket, and by the API.
 * Written in what CloudFront Functions understand: no classes, destructuring, spread, default arguments, for-of, Map, `?.` or `??`.
 *
 * @typedef {object} EdgeParameter
 * @property {readonly string[]} names the first one sent wins; it stands in the canonical form under names[0]
 * @property {readonly string[] | null} values what it takes, in lower case; null: anything, the API checks it
 * @property {string | null} fallback the default; null: none
 * @property {readonly string[] | null} [same] other spellings of the default
 *
 * @typedef {object} EdgeOperation
 * @property {readonly EdgeParameter[]} axes they name the document, in the order of its path
 * @property {readonly EdgeParameter[]} rest the others; the request names a document only when each has its default
 *
 * @typedef {Readonly<Record<string, EdgeOperation>>} EdgeTable operations by path: `/v1/z100/creators`
 * @typedef {Readonly<Record<string, readonly string[]>>} Query all values sent by name, decoded
 *
 * @typedef {object} Read one parameter of a request
 * @property {string} name its first name
 * @property {string | undefined} sent the name that it was sent under; undefined: it was not, for an empty parameter counts as absent
 * @property {string | null} value in canonical spelling; null: absent and without default
 * @property {boolean} isDefault
 * @property {'repeated' | 'value' | null} refused more than one value, or none that it takes
 */

/**
 * The document that a query asks of the operation at `path`, which is as operationPath gives it: `v1/z100/creators/24h`;
 * null: it names none.
 * @param {string} path
 * @param {EdgeOperation} operation
 * @param {Query} query
 * @returns {string | null}
 */
export function documentOf(path, operation, query) {
  let name = path.slice(1)
  const isNamed = operation.axes.every((axis) => {
    const read = readParameter(axis, query)
    name += `/${read.value}`
    return read.value !== null && !read.refused
  })
  return isNamed && operation.rest.every((one) => readParameter(one, query).isDefault) ? name : null
}

/**
 * The names sent that the operation does not know, sorted.
 * @param {EdgeOperation} operation
 * @param {Query} query
 * @returns {readonly string[]}
 */
export function ignoredOf(operation, query) {
  const parameters = operation.axes.concat(operation.rest)
  return Object.keys(query)
    .filter((name) => parameters.every((one) => one.names.indexOf(name) < 0))
    .sort()
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
 * The path that operations are known by: decoded once, without a slash at its end; null when its encoding is malformed.
 * @param {string} path as sent
 * @returns {string | null}
 */
export function operationPath(path) {
  const text = decoded(path)
  return text === null ? null : text.replace(/\/$/, '')
}

/**
 * @param {EdgeParameter} parameter
 * @param {Query} query
 * @returns {Read}
 */
export function readParameter(parameter, query) {
  const names = parameter.names
  const sent = names.filter((name) => (query[name] || []).join('') !== '')[0]
  const values = sent === undefined ? [] : query[sent] || []
  const text = values.join(', ')
  const word = text.toLowerCase()
  const isRepeated = values.length > 1
  const isDefault =
    sent === undefined ||
    (!isRepeated && (word === parameter.fallback || (parameter.same || []).indexOf(word) >= 0))
  const isOther = !isDefault && parameter.values !== null && parameter.values.indexOf(word) < 0
  return {
    name: /** @type {string} */ (names[0]),
    sent: sent,
    value: isDefault ? parameter.fallback : parameter.values === null ? text : word,
    isDefault: isDefault,
    refused: isRepeated ? 'repeated' : isOther ? 'value' : null,
  }
}
