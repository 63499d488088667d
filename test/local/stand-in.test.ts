import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { listen } from '../../local/aws/listening.ts'
import { freePort, stopAll } from '../../local/stand-in.ts'

it('gives a port that is free, on this machine only', async () => {
  const port = await freePort()
  const standIn = await listen('one', createServer(), port)
  expect(standIn.url).toBe(`http://127.0.0.1:${port}`)
  await expect(listen('two', createServer(), port)).rejects.toThrow('EADDRINUSE')
  await standIn.stop()
})

it('stops the last started first, and all of them, even those that answer someone', async () => {
  const stopped: string[] = []
  const fake = (name: string, fails = false) => ({
    name,
    url: '',
    stop: async () => {
      stopped.push(name)
      if (fails) throw new TypeError(name)
    },
  })
  const endless = await listen(
    'endless',
    createServer((_, response) => response.write('…')),
  )
  const response = await fetch(endless.url)
  await expect(stopAll([endless, fake('b', true), fake('c')])).rejects.toThrow(AggregateError)
  expect(stopped).toEqual(['c', 'b'])
  await expect(response.text()).rejects.toThrow()
})
