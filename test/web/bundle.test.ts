/** What is in the files of the pages, and how large they are. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { participant } from '#web/participant/entry'
import { areaSize, firstLoad, offlineSizeOf, overBudget, overOfflineBudget } from '#web/serving/budget'
import { bundlePages } from '#web/serving/bundle'
import { frontEnds } from '#web/serving/frontEnds'
import { packOf } from '#web/serving/makePack'
import { root } from '../server/process/folder'

const bundle = bundlePages()
/** Less compressed than in the executable, so that it takes no seconds: it is a little larger here than there. */
const pack = bundle.then((each) =>
  packOf({ ...each, files: new Map([...each.files].filter(([path]) => !path.includes('swagger'))) }, 9),
)

test('no page is larger than its budget', async () => {
  const { index } = await pack
  expect(overBudget(index)).toEqual([])
  const scripts = frontEnds.filter(({ script, name }) => script !== undefined && name !== 'docs')
  expect(scripts.filter(({ budget }) => budget === undefined)).toEqual([])
  // A budget that is far too large would let a page grow unnoticed.
  for (const { name, budget } of scripts) expect(firstLoad(index, name) / 1000).toBeGreaterThan(budget! / 2)
  const { areas = {}, name } = frontEnds.find((each) => each.areas)!
  for (const area of Object.keys(areas)) expect([area, areaSize(index, name, area) > 500]).toEqual([area, true])
})

test('what the app keeps on a device is within its budget, and nothing of it is missing', async () => {
  const [{ index }, { files }] = await Promise.all([pack, bundle])
  const worker = new TextDecoder().decode(files.get('/app/sw.js')!.bytes)
  const { kept, patterns } = offlineSizeOf(index, worker)
  expect(overOfflineBudget({ kept, patterns })).toEqual([])
  expect(patterns).toBeGreaterThan(participant.offline!.budgets.patterns! / 2)
  const { texts, script, imports } = index.entries.app!
  const size = (path: string) => (index.files[path]!.end - index.files[path]!.start) / 1000
  const every = new Set(['/app/sw.js', ...[...worker.matchAll(/"(\/web\/[^"]+)"/g)].map(([, path]) => path!)])
  // With the texts of a second language and what older browsers need, which are in no list of what every device keeps.
  const largest = Math.max(
    ...['de', 'fr', 'es', 'ar'].map((each) => texts[each]!.reduce((sum, path) => sum + size(path), 0)),
  )
  const older = [...files].find(([, { bytes }]) => Buffer.from(bytes).includes('PlainYearMonth'))![0]
  expect([...every].filter((path) => !files.has(path))).toEqual([])
  expect(every.has(older)).toBe(false)
  expect(kept).toBeGreaterThanOrEqual([...every, older].reduce((sum, path) => sum + size(path), 0) + largest)
  expect([script, ...imports, ...texts.en!].filter((path) => !every.has(path))).toEqual([])
  expect(size('/app/sw.js')).toBeLessThan(12.5)
  const without = worker.replaceAll(/(older|patterns):/g, '$1_:')
  expect(overOfflineBudget(offlineSizeOf(index, without))).toHaveLength(2)
})

test('every component is shown on the page of the components', async () => {
  const read = (path: string) => Bun.file(join(root, 'src/web', path)).text()
  const [gallery, ...lists] = await Promise.all(
    ['site/gallery.tsx', 'kit/ui/components.ts', 'kit/ui/qr.ts', 'kit/ui/rich.ts'].map((path) => read(path)),
  )
  const names = lists.flatMap((list) =>
    [...list.replaceAll(/type \w+/g, '').matchAll(/\b([A-Z]\w+)\b(?=[^{}]*\} from)/g)].map(([, name]) => name!),
  )
  // `Fault` is a part of each field; `TranslatorProvider` gives the page its language, and shows nothing.
  const shown = names.filter((name) => !['Fault', 'TranslatorProvider'].includes(name))
  expect(shown).toContain('Rich')
  expect(shown.filter((name) => !gallery!.includes(`<${name}`))).toEqual([])
})

test('a page over its budget is named', async () => {
  const { index } = await pack
  const { account } = index.entries
  const files = { ...index.files, [account!.script]: { ...index.files[account!.script]!, start: 0, end: 1_000_000 } }
  expect(overBudget({ ...index, files })).toEqual([expect.stringMatching(/^account \(10\d\d\.\d kB, at most 28\)$/)])
})

/** Everything outside of `src/web` that may be in the files of pages. Nothing that reads the database or a secret is on it. */
const allowed = [
  /^src\/web\/(kit|form|site|participant|links|console)\//,
  /^src\/web\/serving\/copy\.css$/,
  /^src\/texts\/answers\/(instructions\/)?\w+\.ts$/,
  /^src\/wire\/richText\.ts$/,
  /^src\/access\/(rule|caller|keys)\.ts$/,
  /^src\/design\/hiddenFields\/inheritedFlags\.ts$/,
  /^src\/kernel\/(digits|template)\.ts$/,
  /^node_modules\/(preact|@preact\/signals|@preact\/signals-core|marked|idb|uqr|temporal-polyfill|temporal-utils)\//,
]

test('the pages contain only modules that are meant for browsers', async () => {
  const { sources } = await bundle
  expect(sources.length).toBeGreaterThan(30)
  expect(sources.filter((path) => !ENGINE.includes(path) && !allowed.some((each) => each.test(path)))).toEqual([])
})

test('no script of a page uses what only the server has', async () => {
  const { files } = await bundle
  for (const [path, { bytes }] of files) {
    if (!path.endsWith('.js') || path.includes('swagger')) continue
    expect([
      path,
      new TextDecoder().decode(bytes).match(/\bBun\.|\bprocess\.|\bBuffer\.|\brequire\(|"node:/)?.[0],
    ]).toEqual([path, undefined])
  }
})

// Bun replaces `inset-inline-start` and `:dir()` by lists of languages: wrong for a language that is missing there.
test('the direction of a page is decided by `dir`, not by a list of languages', async () => {
  const { files } = await bundle
  const styles = [...files].filter(([path]) => path.endsWith('.css') && !path.includes('swagger'))
  expect(styles).toHaveLength(9)
  for (const [path, { bytes }] of styles)
    expect([path, new TextDecoder().decode(bytes).includes(':lang(')]).toEqual([path, false])
})

test('the matcher of patterns is loaded by itself, and kept only where a form needs it', async () => {
  const { files } = await bundle
  const texts = new Map([...files].map(([path, { bytes }]) => [path, new TextDecoder().decode(bytes)]))
  const having = (part: string) => [...texts].flatMap(([path, text]) => (text.includes(part) ? [path] : []))
  const [file = '', ...others] = having('missing argument to repetition operator')
  // The worker knows by this name that a device has it.
  expect([file, others]).toEqual([expect.stringContaining('/web/patterns-'), []])
  expect(texts.get(file)).not.toContain('is compiled before its matcher')
  expect(texts.get('/app/sw.js')).not.toContain(`"${file}"`)
  expect(texts.get('/app/sw.js')).toContain(`patterns:["${file.replace('/web/', '')}"]`)
})

test('the engine of forms contains only these modules of the server', async () => {
  const result = await Bun.build({
    entrypoints: [join(root, 'src/web/form/engine/engine.ts')],
    target: 'browser',
    metafile: true,
    throw: true,
  })
  const named = Object.keys(result.metafile?.inputs ?? {}).map((path) =>
    path.replace(/^.*?(?=src\/|node_modules\/)/, ''),
  )
  expect(named.sort()).toEqual(ENGINE)
})

const ENGINE = [
  'node_modules/re2js/build/index.js',
  ...['answerOperands', 'bmi', 'calculationOrder', 'codes', 'expressions', 'functions'].map(
    (each) => `src/design/dataTypes/${each}.ts`,
  ),
  ...['codedReason', 'dialect', 'parse', 'tree'].map((each) => `src/design/dataTypes/grammar/${each}.ts`),
  ...['missingReasons', 'operands', 'operators', 'pattern', 'patternSteps', 'patternSyntax'].map(
    (each) => `src/design/dataTypes/${each}.ts`,
  ),
  ...['problems', 'scalars', 'values'].map((each) => `src/design/dataTypes/${each}.ts`),
  ...['fillForm', 'form', 'requiredFields'].map((each) => `src/design/forms/${each}.ts`),
  ...['conditions', 'references', 'scoring'].map((each) => `src/design/stages/${each}.ts`),
  ...['calendar', 'decimal', 'json', 'template', 'time', 'zones'].map((each) => `src/kernel/${each}.ts`),
  ...['en', 'problemText'].map((each) => `src/texts/answers/${each}.ts`),
  ...['engine', 'matcher', 'patterns'].map((each) => `src/web/form/engine/${each}.ts`),
]

test('each file has a name of its content, and is found again in the pack', async () => {
  const { index, bytes } = await pack
  const { files } = await bundle
  for (const [path, { start, end, isImmutable }] of Object.entries(index.files)) {
    expect(new Uint8Array(brotliDecompressSync(bytes.subarray(start, end)))).toEqual(
      new Uint8Array(files.get(path)!.bytes),
    )
    expect([path, isImmutable]).toEqual([path, /^\/web\/[\w-]+-[a-z0-9]{8,}\.(js|css|svg|png|json)$/.test(path)])
  }
})
