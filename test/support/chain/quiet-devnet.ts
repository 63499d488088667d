/** A development chain on which nothing happens by itself, its data in a folder of the test file. */
import { type Devnet, type DevnetOptions, startDevnet } from '../../../dev/devnet/chain.ts'
import { tempDir } from '../temp-dir.ts'

/** Nothing is kept for another start. */
export const noJournal = { append: () => {}, blocks: () => [], dropLast: () => {}, close: () => {} }

export function startQuietDevnet(
  options: Partial<DevnetOptions> & Pick<DevnetOptions, 'seed'>,
): Promise<Devnet> {
  return startDevnet({
    now: Date.now,
    report: () => {},
    live: false,
    onExit: (error) => {
      throw error
    },
    ...options,
    dataDir: options.dataDir ?? tempDir(),
  })
}
