// Loaded before a process of a test: its clock jumps by CLOCK_JUMP_MS, CLOCK_AFTER_MS after its start, as when a clock is set.
const [jumpMs, afterMs] = [Number(process.env['CLOCK_JUMP_MS']), Number(process.env['CLOCK_AFTER_MS'])]
const trueNow = Date.now
const now = () => trueNow() + (performance.now() < afterMs ? 0 : jumpMs)

globalThis.Date = new Proxy(Date, {
  construct: (target, given) => Reflect.construct(target, given.length > 0 ? given : [now()]),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
