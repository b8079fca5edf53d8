import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unreadable } from '#kernel/fault'
import { replaceFile } from '#writers/file'
import { entriesOf, isZip } from '#writers/unzip'
import { zipTo } from '#writers/zip'
import { inFolder } from './folder'

const archive: Buffer = inFolder((folder) => {
  const path = join(folder, 'a.zip')
  replaceFile(path, (output) => {
    const zip = zipTo(output)
    zip.add('packed.txt', 'abc '.repeat(20))
    zip.store('Größe.bin', 5, [Buffer.from('12'), Buffer.from('345')])
    zip.add('empty', '')
    zip.end()
  })
  return readFileSync(path)
})

const contents = (bytes: Uint8Array, limit = 1 << 20) =>
  entriesOf(bytes, limit, unreadable).map(({ name, read }) => [name, Buffer.from(read()).toString()] as const)
const written = [
  ['packed.txt', 'abc '.repeat(20)],
  ['Größe.bin', '12345'],
  ['empty', ''],
] as const

test('an archive is read as it was written', () => {
  expect(isZip(archive)).toBe(true)
  expect(contents(archive)).toEqual([...written])
})

test('the total size of the files is limited by the reader', () => {
  expect(contents(archive, 85)).toHaveLength(3)
  expect(() => contents(archive, 84)).toThrow('too large once unpacked')
})

test('an archive that is truncated anywhere is refused', () => {
  for (let length = 0; length < archive.length; length++)
    expect(() => contents(archive.subarray(0, length))).toThrow(expect.objectContaining({ name: 'Unreadable' }))
})

test('an archive with a changed byte is refused, or gives the same content', () => {
  let refused = 0
  for (let at = 0; at < archive.length; at++) {
    const wrong = Buffer.from(archive)
    wrong[at]! ^= 0x41
    try {
      const texts = contents(wrong).map(([, text]) => text)
      expect(written.map(([, text]) => text).slice(0, texts.length)).toEqual(texts)
    } catch (error) {
      if ((error as Error).name !== 'Unreadable') throw error
      refused++
    }
  }
  expect(refused).toBeGreaterThan(archive.length / 4)
})
