// Loaded before a process of a test. CLOCK_AFTER_MS after its start its clock jumps by CLOCK_JUMP_MS, as when a clock is set, and
// goes CLOCK_SPEED times as fast from then on, its timers with it; how long others may take to answer stays true time.
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'

const { CLOCK_AFTER_MS = 0, CLOCK_JUMP_MS = 0, CLOCK_SPEED = 1 } = process.env
const [afterMs, jumpMs, speed] = [Number(CLOCK_AFTER_MS), Number(CLOCK_JUMP_MS), Number(CLOCK_SPEED)]

const [trueNow, trueElapsed] = [Date.now, performance.now.bind(performance)]
const isChanged = () => trueElapsed() >= afterMs
const gainedMs = () => Math.max(0, trueElapsed() - afterMs) * (speed - 1)
const now = () => Math.floor(trueNow() + (isChanged() ? jumpMs : 0) + gainedMs())

globalThis.Date = new Proxy(Date, {
  construct: (target, given) => Reflect.construct(target, given.length > 0 ? given : [now()]),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

/** @typedef {(...given: any[]) => any} Timer */

/** A function of a delay in milliseconds at this place of its arguments, with the delay of the changed clock. */
function hastened(/** @type {Timer} */ set, /** @type {number} */ place) {
  const sooner = (/** @type {any[]} */ ...given) => {
    given[place] = (given[place] ?? 0) / (isChanged() ? speed : 1)
    return set(...given)
  }
  return Object.defineProperties(sooner, Object.getOwnPropertyDescriptors(set))
}

if (speed !== 1) {
  performance.now = () => trueElapsed() + gainedMs()
  const { setTimeout, setInterval } = globalThis
  Object.assign(globalThis, { setTimeout: hastened(setTimeout, 1), setInterval: hastened(setInterval, 1) })
  timersPromises.setTimeout = /** @type {any} */ (hastened(timersPromises.setTimeout, 0))
  syncBuiltinESMExports()
}
