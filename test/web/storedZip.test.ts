/** The archive of a saved copy, opened by other programs. */
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { safeName } from '#web/kit/files/fileName'
import { storedZip } from '#web/kit/files/storedZip'
import { freshFolder } from '../server/process/folder'
import { hasPython, python } from '../writers/folder'

const READ = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps([[i.filename, list(i.date_time), archive.read(i).hex()] for i in archive.infolist()]))
`

test.skipIf(!hasPython('zipfile'))('Python reads every part, its name and its time', async () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map(safeName)
  const folder = freshFolder()
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'copy.zip')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, fc.uint8Array({ maxLength: 300 })), { maxLength: 6 }), async (drawn) => {
      const parts = drawn.map(([name, bytes], n) => ({ path: `files/${n} ${name}`, content: new Blob([bytes]) }))
      writeFileSync(path, await (await storedZip(parts, new Date(2026, 1, 28, 13, 45, 59))).bytes())
      const { out, error } = python(READ, path)
      expect(error).toBe('')
      expect(JSON.parse(out)).toEqual(
        parts.map(({ path }, n) => [path, [2026, 2, 28, 13, 45, 58], Buffer.from(drawn[n]![1]).toString('hex')]),
      )
    }),
    { numRuns: 20 },
  )
})

test.each([
  ['../../etc/passwd', '..-..-etc-passwd'],
  ['a\ud800b', 'a-b'],
  ['🫁'.repeat(200), '🫁'.repeat(120)],
  ['x: "y"?\n', 'x- -y---'],
])('%j is called %j', (name, safe) => {
  expect(safeName(name)).toBe(safe)
})
