/** `npm run model -- [trials] [first seed]`: counts the trials that fail with a guard taken away, then tries the protocol as it is. From another seed than 0 on it only tries: so a long run goes on. */
import { removals } from './guards.ts'
import { faultOfTrial } from './trial.ts'

const TRIALS_WITHOUT_GUARD = 400
/** Trials between two lines that say how far it is. */
const REPORT_EVERY = 5_000

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function countFaults(): Promise<void> {
  say(`trials of ${TRIALS_WITHOUT_GUARD} that fail where`)
  for (const [name, removal] of Object.entries(removals)) {
    let faults = 0
    for (let seed = 0; seed < TRIALS_WITHOUT_GUARD; seed++) if (await faultOfTrial(seed, removal)) faults += 1
    say(`${String(faults).padStart(5)}  ${name}`)
    if (faults === 0) process.exitCode = 1
  }
}

async function tryAll(trials: number, first: number): Promise<void> {
  let faults = 0
  for (let done = 0; done < trials; done++) {
    const fault = await faultOfTrial(first + done)
    if (fault) say(`seed ${first + done}: ${fault}`)
    if (fault) faults += 1
    if ((done + 1) % REPORT_EVERY === 0) say(`${done + 1} trials, ${faults} of them failed`)
  }
  say(`${trials} trials from seed ${first}, ${faults} of them failed`)
  if (faults > 0) process.exitCode = 1
}

const [trials = 1_000, first = 0] = process.argv.slice(2).map(Number)
if (first === 0) await countFaults()
await tryAll(trials, first)
