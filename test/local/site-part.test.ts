import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { siteSources } from '../../dev/local/site-part.ts'
import { SITE_FONT } from '../../schemas/pages/site.ts'
import { pages } from '../../site/build/pages.ts'

test('the pages are built again when any of their sources has changed', async () => {
  const entryPoints = ['site/build/main.ts', ...pages.map(({ script }) => `site/browser/page/${script}.ts`)]
  const options = { bundle: true, write: false, metafile: true, packages: 'external', format: 'esm' } as const
  const { metafile } = await build({
    ...options,
    entryPoints,
    platform: 'node',
    outdir: 'none',
    external: [`/${SITE_FONT}`],
  })
  const texts = pages.flatMap(({ markdown }) => markdown ?? [])
  const made = [...Object.keys(metafile.inputs), ...texts]
  const unseen = made.filter((path) => !siteSources.some((source) => `${path}/`.startsWith(`${source}/`)))
  expect(unseen).toEqual([])
})
