/** The engine of forms gives the same results in the browser as on the server. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { chromium, inBrowser } from './browser'
import { randomResults } from './engine.forms'

const SEED = 20_260_302
const FORMS = 1_000

test('random forms are of all sorts', async () => {
  const results = (await randomResults(SEED, FORMS)).map((text) => JSON.parse(text))
  const having = (part: string) => results.filter((each) => Object.keys(each[part] ?? {}).length > 0).length
  for (const part of ['wrong', 'unfit', 'missing', 'values', 'hidden', 'changes'])
    expect([part, having(part) > 50]).toEqual([part, true])
  expect(results.filter(({ score }) => score).length).toBeGreaterThan(50)
})

test.skipIf(!chromium)(
  'random forms have the same results in Chromium',
  async () => {
    const { outputs } = await Bun.build({
      entrypoints: [join(import.meta.dir, 'engine.forms.ts')],
      target: 'browser',
      format: 'esm',
      minify: true,
      throw: true,
    })
    const source = (await outputs[0]?.text()) ?? ''
    const theirs = await inBrowser(async (page) => {
      await page.goto('about:blank')
      // A bundle of one module, whose exports are given to the page.
      await page.evaluate(source.replace(/export\s*\{\s*(\S+) as randomResults\s*;?\s*\};?/, 'globalThis.results=$1'))
      return page.evaluate(([seed, forms]) => Reflect.get(globalThis, 'results')(seed, forms), [SEED, FORMS] as const)
    })
    expect(theirs).toEqual(await randomResults(SEED, FORMS))
  },
  180_000,
)
