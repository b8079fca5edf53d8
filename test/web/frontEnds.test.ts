/** What the front ends are made of: which folders know which, and which pages belong to which. */
import { expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'
import { memoryDraft } from '#web/form/answers/memoryDraft'
import { frontEnds, isPageOf } from '#web/serving/frontEnds'

/** Each folder with those that it may import besides itself. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  form: ['kit'],
  participant: ['form', 'kit'],
  links: ['form', 'kit'],
  console: ['form', 'kit'],
  site: ['form', 'kit'],
}

/** The folders of `src/web` that a file names: its imports, also of types, of styles and when they are needed. */
function foldersOf(path: string, source: string): string[] {
  const names = [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([#.][^'"]+)['"]/g)].map(([, name = '']) => name)
  const targets = names.map((name) => (name.startsWith('#') ? name.slice(1) : normalize(join(dirname(path), name))))
  return targets.flatMap((target) => /^web\/([^/]+)\//.exec(target)?.[1] ?? [])
}

test('front ends know the form and the kit, the form knows the kit, and none of them knows another', async () => {
  const wrong: string[] = []
  for (const [folder, others] of Object.entries(allowed))
    for (const file of new Glob(`web/${folder}/**/*.{ts,tsx,css}`).scanSync('src')) {
      const path = file.replaceAll('\\', '/')
      const named = foldersOf(path, await Bun.file(join('src', path)).text())
      wrong.push(...named.filter((each) => each !== folder && !others.includes(each)).map((each) => `${path}: ${each}`))
    }
  expect(wrong).toEqual([])
})

test.each<[path: string, name: string | undefined]>([
  ['/', 'landing'],
  ['/account', 'account'],
  ['/account/keys', 'account'],
  ['/account/other', undefined],
  ['/setup/x', 'setup'],
  ['/app/setup/x', 'setup'],
  ['/app', 'app'],
  ['/app/stages/x::2', 'app'],
  ['/app/stage/x', 'links'],
  ['/app/stage/x/y', undefined],
  ['/app/meeting/x', 'links'],
  ['/app/file-review/x', 'links'],
  ['/poll/A/b', 'links'],
  ['/poll/A/b/c', 'links'],
  ['/poll/A', undefined],
  ['/app/consent/A/b', 'consent'],
  ['/app/consent/A/b/withdraw', 'consent'],
  ['/app/consent-session/x', 'consent'],
  ['/manual/backup', 'manual'],
  ['/console', 'console'],
  ['/console/SR-24/participants', 'console'],
  ['/consoles', undefined],
  ['/apps', undefined],
])('%s is a page of %p, and of no other front end', (path, name) => {
  const found = frontEnds.filter((each) => isPageOf(each, path)).map((each) => each.name)
  expect(found).toEqual(name === undefined ? [] : [name])
})

test('a draft in the memory keeps answers and files until it begins afresh, and sends what was kept last', async () => {
  const sent: unknown[] = []
  const draft = memoryDraft({
    async send(answers) {
      sent.push(answers)
      return { kind: 'waiting' }
    },
  })
  expect([draft.kept, draft.isReadOnly]).toEqual([undefined, false])
  const file = await draft.keepFile(new Blob(['abc'], { type: 'text/plain' }), 'a\ud83d.txt')
  expect(file).toMatchObject({ name: 'a\ufffd.txt', size: 3 })
  expect(await (await draft.fileOf(file))?.text()).toBe('abc')
  const createdAt = '2026-03-02T12:00:00.000Z'
  for (const value of ['no', 'yes'])
    draft.keep({ answers: { q: { value, createdAt } }, screen: 4, version: '1', opened: '' })
  // From the first screen: the last one may be what could not be shown.
  expect(draft.kept).toMatchObject({ answers: { q: { value: 'yes' } }, screen: 0 })
  const feedback = { text: null, messages: [] }
  expect(await draft.send('Form', feedback)).toEqual({ kind: 'waiting' })
  expect(sent).toEqual([{ q: { value: 'yes', createdAt } }])
  await draft.discard()
  expect(draft.kept).toBeUndefined()
  expect(await memoryDraft().send('Form', feedback)).toMatchObject({ kind: 'stored' })
})
