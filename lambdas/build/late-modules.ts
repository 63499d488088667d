import { relative } from 'node:path'
import type { Plugin } from 'esbuild'

/** Modules that are loaded when they are needed: their files, by the name that each has in the bundle, without its ending. */
export type LateModules = Map<string, string>

const IS_OWN_RESOLVING = Symbol('resolving what an import names')

/**
 * Leaves each dynamic import to a file of its own, with copies of all that it shares with the first, and adds it to `late`.
 * Split off, what is shared would be further files, and a cold start pays for each. So what is loaded late, here and in
 * packages, must hand over plain values: its classes and its state are not those of the first file.
 */
export const lateModules = (late: LateModules, root: string): Plugin => ({
  name: 'late-modules',
  setup(build) {
    build.onResolve({ filter: /./ }, async ({ kind, path, resolveDir, importer, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === IS_OWN_RESOLVING) return undefined
      const options = { kind, resolveDir, importer, pluginData: IS_OWN_RESOLVING }
      const found = await build.resolve(path, options)
      if (found.errors.length > 0 || found.external) return found
      const name = nameOf(relative(root, found.path))
      late.set(name, found.path)
      return { path: `./${name}.mjs`, external: true }
    })
  },
})

/** `store/holder-view.ts` is late-store-holder-view: no two files have one name. */
const nameOf = (file: string): string =>
  `late-${file
    .replace(/^.*node_modules\/@?/, '')
    .replace(/\.\w+$/, '')
    .replaceAll('/', '-')}`
