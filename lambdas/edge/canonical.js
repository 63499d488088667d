// @ts-check
/**
 * One request, one spelling. Run by the edge, which answers a request that names a document from the bucket, and by the API.
 * Written in what CloudFront Functions understand: no classes, destructuring, spread, default arguments, for-of, Map, `?.` or `??`.
 *
 * @typedef {object} EdgeParameter
 * @property {readonly string[]} names the first one sent wins; it stands in the canonical form under names[0]
 * @property {readonly string[] | null} values what it takes, in lower case; null: anything, the API checks it
 * @property {string | null} fallback the default; null: none
 * @property {readonly string[]} [same] other spellings of the default
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
 *
 * @typedef {object} Asked
 * @property {string | null} document `v1/z100/creators/24h`; null: the request names none
 * @property {readonly Read[]} read the parameters of the operation, the axes first
 * @property {readonly string[]} ignored names sent that the operation does not know, sorted
 */

/**
 * What a query asks of the operation at `path`, which is as operationPath gives it.
 * @param {string} path
 * @param {EdgeOperation} operation
 * @param {Query} query
 * @returns {Asked}
 */
export function askedOf(path, operation, query) {
  const axes = operation.axes.map((parameter) => readParameter(parameter, query))
  const rest = operation.rest.map((parameter) => readParameter(parameter, query))
  const isDocument = axes.every(isNamed) && rest.every((one) => one.isDefault)
  const known = operation.axes
    .concat(operation.rest)
    .reduce((names, one) => names.concat(one.names), /** @type {string[]} */ ([]))
  return {
    document: isDocument ? [path.slice(1)].concat(axes.map((one) => String(one.value))).join('/') : null,
    read: axes.concat(rest),
    ignored: Object.keys(query)
      .filter((name) => known.indexOf(name) < 0)
      .sort(),
  }
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
function readParameter(parameter, query) {
  /** @param {string} name */
  const valuesOf = (name) => query[name] || []
  const sent = parameter.names.filter((name) => valuesOf(name).join('') !== '')[0]
  const values = sent === undefined ? [] : valuesOf(sent)
  const text = values.join(', ')
  const word = text.toLowerCase()
  const isRepeated = values.length > 1
  const isDefault =
    sent === undefined ||
    (!isRepeated && (word === parameter.fallback || (parameter.same || []).indexOf(word) >= 0))
  const isOther = !isDefault && parameter.values !== null && parameter.values.indexOf(word) < 0
  return {
    name: /** @type {string} */ (parameter.names[0]),
    sent: sent,
    value: isDefault ? parameter.fallback : parameter.values === null ? text : word,
    isDefault: isDefault,
    refused: isRepeated ? 'repeated' : isOther ? 'value' : null,
  }
}

/** @param {Read} read */
function isNamed(read) {
  return read.value !== null && read.refused === null
}
