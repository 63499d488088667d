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
 *
 * @typedef {object} Invalid
 * @property {string} parameter
 * @property {string | number} provided
 * @property {string} allowed
 *
 * @typedef {object} Canonical
 * @property {string} path the operation's
 * @property {string | null} document `v1/z100/creators/24h`; null: the request names none, or is invalid
 * @property {Record<string, string>} parameters those that differ from their default, sorted by name
 * @property {string[]} ignored names sent that the operation does not know, sorted
 * @property {Invalid | null} invalid the first value that is not allowed
 */

/** Longest value that is repeated to its sender, in UTF-16 units. */
const ECHO_LENGTH = 128

/** Exists in every operation and is never part of its canonical form: with it, unknown parameters are refused. */
const STRICT = { names: ['strict'], values: ['true', 'false', '1', '0'], fallback: 'false' }

/**
 * The canonical form of a request, or null when no operation has its path.
 * @param {EdgeTable} table
 * @param {string} path as sent, still percent-encoded
 * @param {Readonly<Record<string, readonly string[]>>} query all values sent by name, decoded
 * @returns {Canonical | null}
 */
export function canonical(table, path, query) {
  const name = operationPath(path)
  if (name === null || !hasOwn(table, name)) return null
  const operation = /** @type {EdgeOperation} */ (table[name])
  const parameters = operation.axes.concat(operation.rest).filter(isNotStrict)
  const read = parameters.map((parameter) => readParameter(parameter, query))
  const strict = readParameter(STRICT, query)
  const ignored = unknownNames(parameters, query)

  let invalid = firstInvalid(read.concat([strict]))
  if (!invalid && isTrue(strict.value)) invalid = firstUnknown(parameters, ignored, query)
  return {
    path: name,
    document: invalid ? null : documentName(name, read, operation.axes.length),
    parameters: changed(read),
    ignored: ignored,
    invalid: invalid,
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

/** @param {string} path */
function operationPath(path) {
  const text = decoded(path)
  return text === null ? null : text.replace(/\/$/, '')
}

/**
 * @typedef {object} Read
 * @property {string} name
 * @property {string | null} value in canonical spelling; null: absent and without default
 * @property {boolean} isDefault
 * @property {Invalid | null} invalid
 */

/**
 * @param {EdgeParameter} parameter
 * @param {Readonly<Record<string, readonly string[]>>} query
 * @returns {Read}
 */
function readParameter(parameter, query) {
  const canonicalName = /** @type {string} */ (parameter.names[0])
  const name = parameter.names.filter((candidate) => sentValue(query, candidate) !== '')[0]
  const absent = { name: canonicalName, value: parameter.fallback, isDefault: true, invalid: null }
  if (name === undefined) return absent
  const text = sentValue(query, name)
  const value = parameter.values === null ? text : text.toLowerCase()
  const refused = { name: canonicalName, value: value, isDefault: false, invalid: null }
  if (valuesOf(query, name).length > 1)
    return refuse(refused, { name: name, text: text, allowed: 'one value' })
  if (isDefault(parameter, text.toLowerCase())) return absent
  if (parameter.values !== null && parameter.values.indexOf(value) < 0) {
    return refuse(refused, { name: name, text: text, allowed: parameter.values.join(', ') })
  }
  return refused
}

/**
 * @param {EdgeParameter} parameter
 * @param {string} value
 */
function isDefault(parameter, value) {
  return value === parameter.fallback || (parameter.same || []).indexOf(value) >= 0
}

/**
 * @param {Read} read
 * @param {{name: string, text: string, allowed: string}} why
 * @returns {Read}
 */
function refuse(read, why) {
  const invalid = { parameter: why.name, provided: echo(why.text), allowed: why.allowed }
  return { name: read.name, value: read.value, isDefault: false, invalid: invalid }
}

/** An integer is repeated as a number, anything else as text of bounded length. @param {string} text */
function echo(text) {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text.slice(0, ECHO_LENGTH)
}

/**
 * All values sent under `name`, as one text; empty when there is none: an empty parameter counts as absent.
 * @param {Readonly<Record<string, readonly string[]>>} query
 * @param {string} name
 */
function sentValue(query, name) {
  return valuesOf(query, name).join(', ')
}

/**
 * @param {Readonly<Record<string, readonly string[]>>} query
 * @param {string} name
 * @returns {readonly string[]}
 */
function valuesOf(query, name) {
  return (hasOwn(query, name) && query[name]) || []
}

/**
 * @param {readonly EdgeParameter[]} parameters
 * @param {Readonly<Record<string, readonly string[]>>} query
 */
function unknownNames(parameters, query) {
  const known = knownNames(parameters)
  return Object.keys(query)
    .filter((name) => known.indexOf(name) < 0 && name !== 'strict')
    .sort()
}

/**
 * @param {readonly EdgeParameter[]} parameters
 * @returns {string[]}
 */
function knownNames(parameters) {
  return parameters.reduce((names, parameter) => names.concat(parameter.names), /** @type {string[]} */ ([]))
}

/**
 * @param {readonly EdgeParameter[]} parameters
 * @param {readonly string[]} ignored
 * @param {Readonly<Record<string, readonly string[]>>} query
 * @returns {Invalid | null}
 */
function firstUnknown(parameters, ignored, query) {
  const name = ignored[0]
  if (name === undefined) return null
  const allowed = knownNames(parameters).concat(['strict']).join(', ')
  return { parameter: name.slice(0, ECHO_LENGTH), provided: echo(sentValue(query, name)), allowed: allowed }
}

/**
 * @param {readonly Read[]} read
 * @returns {Invalid | null}
 */
function firstInvalid(read) {
  const found = read.filter((one) => one.invalid !== null)[0]
  return found === undefined ? null : found.invalid
}

/**
 * @param {string} path
 * @param {readonly Read[]} read the axes first
 * @param {number} axes how many of them are axes
 */
function documentName(path, read, axes) {
  const isNamed = read.every((one, at) => (at < axes ? one.value !== null : one.isDefault))
  return isNamed
    ? [path.slice(1)].concat(read.slice(0, axes).map((one) => String(one.value))).join('/')
    : null
}

/** @param {readonly Read[]} read */
function changed(read) {
  const sent = read.filter((one) => !one.isDefault)
  sent.sort((a, b) => (a.name < b.name ? -1 : 1))
  return sent.reduce(
    (all, one) => {
      all[one.name] = String(one.value)
      return all
    },
    /** @type {Record<string, string>} */ ({}),
  )
}

/** @param {EdgeParameter} parameter */
function isNotStrict(parameter) {
  return parameter.names[0] !== 'strict'
}

/** @param {string | null} value */
function isTrue(value) {
  return value === 'true' || value === '1'
}

/**
 * @param {object} object
 * @param {string} name
 */
function hasOwn(object, name) {
  return Object.keys(object).indexOf(name) >= 0
}
