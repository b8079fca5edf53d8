import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile, writeNew } from '#writers/file'
import { zipTo } from '#writers/zip'
import { hasPython, inFolder, inFolderLater, python } from './folder'

const check = `
import sys, zipfile, json
z = zipfile.ZipFile(sys.argv[1])
names = z.namelist()
print(json.dumps([len(names), names[-1], z.read(names[-1]).decode(), z.testzip()]))
`

const WIDE_END = Buffer.from([0x50, 0x4b, 6, 6])

/** Writes `count` parts and lets Python read them. */
const archive = (parts: number, wide?: number) =>
  inFolder((folder) => {
    const path = join(folder, 'a.zip')
    replaceFile(path, (output) => {
      const zip = zipTo(output, wide)
      for (let number = 1; number <= parts; number++)
        zip.add(`part${number}`, number % 1000 === 0 ? 'ß'.repeat(500) : `text ${number}`)
      zip.end()
    })
    const { out, error } = python(check, path)
    expect(error).toBe('')
    return { read: JSON.parse(out), isWide: readFileSync(path).includes(WIDE_END) }
  })

const reads = test.skipIf(!hasPython('zipfile'))

reads('an archive of a few parts needs no ZIP64', () => {
  expect(archive(3)).toEqual({ read: [3, 'part3', 'text 3', null], isWide: false })
})

reads('beyond the reach of 32 bits the directory is a ZIP64 one', () => {
  expect(archive(3, 60)).toEqual({ read: [3, 'part3', 'text 3', null], isWide: true })
})

reads(
  'more than 65,535 parts are counted by ZIP64',
  () => {
    expect(archive(65_540)).toEqual({ read: [65_540, 'part65540', 'text 65540', null], isWide: true })
  },
  180_000,
)

reads('a part written in pieces is one text, an empty one is empty', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a.zip')
    const pieces = Array.from({ length: 40 }, (_, at) => `${at} ß😀 `.repeat(at * 100))
    await writeNew(path, async (output) => {
      const zip = zipTo(output)
      zip.add('empty', '')
      const part = zip.part('pieces')
      for (const piece of pieces) await part.write(piece)
      expect(part.size()).toBe(Buffer.byteLength(pieces.join('')))
      await part.end()
      zip.end()
    })
    const { out, error } = python(check, path)
    expect(error).toBe('')
    expect(JSON.parse(out)).toEqual([2, 'pieces', pieces.join(''), null])
  }),
)

const listing = `
import sys, zipfile, json
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps([[i.filename, i.compress_type, i.file_size, z.read(i).hex()] for i in z.infolist()]))
`

const pieces = (text: string) => [...text].map((each) => Buffer.from(each))

/** Stores texts as files, byte by byte, and lets Python and unzip read them. */
const stored = (files: [name: string, text: string][], wide?: number) =>
  inFolder((folder) => {
    const path = join(folder, 'a.zip')
    replaceFile(path, (output) => {
      const zip = zipTo(output, wide)
      zip.add('first', 'text')
      for (const [name, text] of files) zip.store(name, Buffer.byteLength(text), pieces(text))
      zip.end()
    })
    const { out, error } = python(listing, path)
    expect(error).toBe('')
    if (Bun.which('unzip')) expect(Bun.spawnSync(['unzip', '-tq', path]).exitCode).toBe(0)
    return (JSON.parse(out) as [string, number, number, string][]).slice(1)
  })

const hex = (text: string) => Buffer.from(text).toString('hex')

reads('a file is stored as it is, under any name', () => {
  expect(
    stored([
      ['a.bin', 'abc'],
      ['Überblick 日本.pdf', 'ß😀'],
      ['empty', ''],
    ]),
  ).toEqual([
    ['a.bin', 0, 3, hex('abc')],
    ['Überblick 日本.pdf', 0, 6, hex('ß😀')],
    ['empty', 0, 0, ''],
  ])
})

reads('a file beyond 32 bits, and one far into the archive, have their sizes and places in ZIP64', () => {
  const [large, small] = ['x'.repeat(100), 'y']
  expect(
    stored(
      [
        ['large', large],
        ['far', small],
        ['both', large],
      ],
      80,
    ),
  ).toEqual([
    ['large', 0, 100, hex(large)],
    ['far', 0, 1, hex(small)],
    ['both', 0, 100, hex(large)],
  ])
})

test('a file with another length than announced is refused', () =>
  inFolder((folder) => {
    const storing = (size: number) =>
      replaceFile(join(folder, 'a.zip'), (output) => zipTo(output).store('a', size, pieces('abc')))
    expect(() => storing(2)).toThrow('changed while it was read')
    expect(() => storing(4)).toThrow('changed while it was read')
    storing(3)
  }))
