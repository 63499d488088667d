// Runs before `npm start`, in syntax of any Node version, because TypeScript and its loader need a newer one.
const needed = require('../../package.json').engines.node.replace('>=', '')
const numberOf = (/** @type {string} */ version) =>
  Number(version.split('.')[0]) * 1_000 + Number(version.split('.')[1])
if (numberOf(process.versions.node) < numberOf(needed)) {
  process.stderr.write(`z100 needs Node ${needed} or newer; this is ${process.version}.\n`)
  process.exitCode = 1
}
