// @ts-check
/**
 * The operations as the edge's function carries them, packed by pack-table.ts: a third of their JSON, for its text may be
 * 10 KB long. Parameters are written once as `names:defaults:values`, with commas between words; an operation names its
 * parameters by their places, axes first. Only axes have their values: any other one that differs from its default names no
 * document.
 *
 * @typedef {readonly [parameters: readonly string[], operations: Readonly<Record<string, PackedOperation>>]} PackedTable the operations by path
 *
 * @typedef {string} PackedOperation how many of its parameters are axes, a digit, then each parameter as a letter
 *
 * @typedef {import('./canonical.js').EdgeParameter} EdgeParameter
 */

/** The code of the letter that stands for the first parameter: a. */
export const FIRST_LETTER = 97

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
  const axesEnd = Number(operation[0])
  const end = sent.length > 0 ? operation.length - 1 : axesEnd
  const axes = []
  const rest = []
  for (let at = 1; at <= end; at += 1) {
    const text = /** @type {string} */ (from[0][operation.charCodeAt(at) - FIRST_LETTER])
    if (at <= axesEnd) axes.push(parameterFrom(text))
    else {
      let name = sent.length
      while (name > 0 && text.indexOf(/** @type {string} */ (sent[name - 1])) < 0) name -= 1
      if (name > 0) rest.push(parameterFrom(text))
    }
  }
  return { axes: axes, rest: rest }
}

/**
 * @param {string} text
 * @returns {EdgeParameter}
 */
function parameterFrom(text) {
  const parts = text.split(':')
  const defaults = words(parts[1]) || []
  return {
    names: /** @type {string[]} */ (words(parts[0])),
    values: words(parts[2]),
    fallback: defaults[0] || null,
    same: defaults,
  }
}

/** @param {string | undefined} list */
function words(list) {
  return list ? list.split(',') : null
}
