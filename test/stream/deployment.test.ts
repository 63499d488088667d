/** What readers notice while the stream's tasks are replaced. */
import { describe, expect, it } from 'vitest'
import { drainSeconds } from '../../cdk/config.ts'
import { StreamFleet } from './rolling-deployment.ts'

/** The share of readers that may reconnect within one second. */
const MOST_IN_A_SECOND = 0.05
const size = { tasks: 2, readers: 1_500 }

describe('while a deployment replaces all tasks of the stream', () => {
  it('readers leave at their own time: the balancer has nothing left to cut when ECS sends SIGTERM', async () => {
    const fleet = new StreamFleet(size)
    const old = fleet.deregister()
    for (let n = 0; n < size.tasks; n++) fleet.start()
    await fleet.pass(drainSeconds.deregistration)
    expect(fleet.readersOf(old)).toBe(0)
    for (const task of old) fleet.cut(task)
    const ended = old.map((task) => fleet.terminate(task))
    await fleet.pass(drainSeconds.stop)
    await Promise.all(ended)
    expect(fleet.busiestSecond).toBeLessThanOrEqual(MOST_IN_A_SECOND)
  })

  it('readers of tasks that get SIGTERM at once are drained before the balancer cuts and before SIGKILL', async () => {
    const fleet = new StreamFleet(size)
    const old = fleet.deregister()
    for (let n = 0; n < size.tasks; n++) fleet.start()
    const ended = old.map((task) => fleet.terminate(task))
    await fleet.pass(Math.min(drainSeconds.deregistration, drainSeconds.stop))
    await Promise.all(ended)
    expect(fleet.readersOf(old)).toBe(0)
    await fleet.pass(60)
    expect(fleet.busiestSecond).toBeLessThanOrEqual(MOST_IN_A_SECOND)
  })

  it('and where one of two tasks crashes, its readers come back one after the other', async () => {
    const fleet = new StreamFleet(size)
    const [crashed, other] = fleet.deregister()
    for (let n = 0; n < size.tasks; n++) fleet.start()
    fleet.cut(crashed!)
    await fleet.pass(30)
    expect(fleet.readersOf([crashed!])).toBe(0)
    expect(fleet.readersOf([other!])).toBeGreaterThan(0)
    expect(fleet.busiestSecond).toBeLessThanOrEqual(MOST_IN_A_SECOND)
  })
})
