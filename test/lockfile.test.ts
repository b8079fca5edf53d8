/** The lockfile is whole: `npm ci` works on every platform, and `npm install` adds nothing to it. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'

type Entry = { dependencies?: object; optionalDependencies?: object }
const { packages }: { packages: Record<string, Entry> } = await Bun.file(
  join(import.meta.dir, '../package-lock.json'),
).json()

/** The folders in which a package looks for another, the nearest first. */
function* foldersFrom(at: string): Generator<string> {
  for (let folder = at; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    yield folder === '' ? 'node_modules' : `${folder}/node_modules`
    if (folder === '') return
  }
}

test('every package that another needs is in it, those of other platforms too', () => {
  const missing = Object.entries(packages).flatMap(([at, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) =>
      [...foldersFrom(at)].some((folder) => `${folder}/${name}` in packages) ? [] : `${at || 'trialbox'} needs ${name}`,
    ),
  )
  expect(missing).toEqual([])
})
