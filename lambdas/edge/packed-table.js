// @ts-check
/**
 * The operations as the edge's function carries them, packed by pack-table.ts: a third of their JSON, for its text may be
 * 10 KB long. Parameters are written once as `names:values:fallback:same`, with commas between words; an operation is the
 * numbers of its parameters. Only axes have their values: any other one that differs from its default names no document.
 *
 * @typedef {readonly [parameters: readonly string[], operations: Readonly<Record<string, PackedOperation>>]} PackedTable the operations by path
 *
 * @typedef {readonly (readonly number[])[]} PackedOperation its axes, and its other parameters
 *
 * @typedef {import('./canonical.js').EdgeParameter} EdgeParameter
 */

/**
 * One operation of the table. Written for CloudFront Functions, as canonical.js is.
 * @param {PackedTable} from
 * @param {PackedOperation} operation
 * @returns {import('./canonical.js').EdgeOperation}
 */
export function unpacked(from, operation) {
  const lists = operation.map((list) => list.map((at) => parameterFrom(/** @type {string} */ (from[0][at]))))
  return { axes: lists[0] || [], rest: lists[1] || [] }
}

/**
 * @param {string} text
 * @returns {EdgeParameter}
 */
function parameterFrom(text) {
  const parts = text.split(':')
  return {
    names: words(parts[0]),
    values: parts[1] ? words(parts[1]) : null,
    fallback: parts[2] || null,
    same: words(parts[3]),
  }
}

/** @param {string | undefined} list */
function words(list) {
  return list ? list.split(',') : []
}
