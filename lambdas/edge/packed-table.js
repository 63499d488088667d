// @ts-check
/**
 * The operations as the edge's function carries them, packed by pack-table.ts: a third of their JSON, for its text may be
 * 10 KB long. Parameters are written once as `names:values:fallback:same`, with commas between words; an operation is the
 * numbers of its parameters. Only axes have their values: any other one that differs from its default names no document.
 *
 * @typedef {readonly [parameters: readonly string[], operations: Readonly<Record<string, PackedOperation>>]} PackedTable the operations by path
 *
 * @typedef {readonly [axes: readonly number[], rest: readonly number[]]} PackedOperation its axes, and its other parameters
 *
 * @typedef {import('./canonical.js').EdgeParameter} EdgeParameter
 */

/**
 * As much of an operation as decides what a query names: its axes, and of its other parameters those that were sent, for one
 * that was not has its default. A name that stands in a parameter's text by chance costs a look at it, no more.
 * Written for CloudFront Functions, as canonical.js is.
 * @param {PackedTable} from
 * @param {PackedOperation} operation
 * @param {import('./canonical.js').Query} query
 * @returns {import('./canonical.js').EdgeOperation}
 */
export function unpacked(from, operation, query) {
  const sent = Object.keys(query)
  /** @param {number} at */
  const textAt = (at) => /** @type {string} */ (from[0][at])
  /** @param {string} text */
  const isSent = (text) => sent.some((name) => text.indexOf(name) >= 0)
  const rest = sent.length > 0 ? operation[1].map(textAt).filter(isSent) : []
  return { axes: operation[0].map(textAt).map(parameterFrom), rest: rest.map(parameterFrom) }
}

/**
 * @param {string} text
 * @returns {EdgeParameter}
 */
function parameterFrom(text) {
  const parts = text.split(':')
  return {
    names: /** @type {string[]} */ (words(parts[0])),
    values: words(parts[1]),
    fallback: parts[2] || null,
    same: words(parts[3]),
  }
}

/** @param {string | undefined} list */
function words(list) {
  return list ? list.split(',') : null
}
