import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sheet } from '#writers/cell'
import { csvChunks } from '#writers/csv'
import { replaceFile, replaceFileLater, writeTemporary } from '#writers/file'
import { writeXlsx } from '#writers/xlsx'
import { inFolder, inFolderLater } from './folder'

const failing = (): Sheet => ({
  name: 'Visit',
  columns: [{ header: 'a' }],
  rows: (function* () {
    for (let row = 0; row < 50_000; row++) yield [row]
    throw new Error('the database is gone')
  })(),
})

test('a file gets its name when it is complete, and only its owner may read it', () =>
  inFolder((folder) => {
    const path = join(folder, 'a')
    writeFileSync(path, 'before')
    replaceFile(path, (output) => {
      output.write(Buffer.from('abcdef'))
      output.patch(Buffer.from('XY'), 1)
      output.write(Buffer.from('gh'))
      expect(output.size()).toBe(8)
      expect(readFileSync(path, 'utf8')).toBe('before')
    })
    expect(readFileSync(path, 'utf8')).toBe('aXYdefgh')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['a'])
  }))

test('writing that waits keeps the old file if it fails, and leaves nothing else', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a')
    writeFileSync(path, 'before')
    const write = (reason?: Error) =>
      replaceFileLater(path, async (output) => {
        output.write(Buffer.from('after'))
        await Bun.sleep(0)
        if (reason) throw reason
        return output.size()
      })
    await expect(write(new Error('the database is gone'))).rejects.toThrow('the database is gone')
    expect(readFileSync(path, 'utf8')).toBe('before')
    expect(await write()).toBe(5)
    expect(readFileSync(path, 'utf8')).toBe('after')
    expect(readdirSync(folder)).toEqual(['a'])
  }))

test.each([
  ['csv', async (path: string) => writeTemporary(path, csvChunks(failing())), 'the database is gone'],
  ['a cancelled csv', async (path: string) => writeTemporary(path, csvChunks(failing(), {}, cancel)), 'cancelled'],
  ['xlsx', (path: string) => writeXlsx(path, [failing()]), 'the database is gone'],
  ['a cancelled xlsx', (path: string) => writeXlsx(path, [failing()], {}, cancel), 'cancelled'],
] as const)('%s that fails leaves nothing, and never writes over a file', (_, write, message) =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a')
    await expect(write(path)).rejects.toThrow(message)
    expect(readdirSync(folder)).toEqual([])
    writeFileSync(path, 'before')
    await expect(write(path)).rejects.toThrow('EEXIST')
    expect(readFileSync(path, 'utf8')).toBe('before')
  }),
)

test('a workbook can be read while it grows: what is there stays as it is', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a')
    const seen: Buffer[] = []
    const rows = Array.from({ length: 60_000 }, (_, row) => [row, `${Math.imul(row, 0x9e3779b1) >>> 0}`])
    const sheet = { name: 'Visit', columns: [{ header: 'a' }, { header: 'b' }], rows }
    const { bytes } = await writeXlsx(path, [sheet], {
      onGrowth: (size) => {
        seen.push(readFileSync(path))
        expect(seen.at(-1)!.length).toBe(size)
      },
    })
    const whole = readFileSync(path)
    expect(whole.length).toBe(bytes)
    expect(seen.length).toBeGreaterThan(2)
    for (const part of seen) expect(whole.subarray(0, part.length).equals(part)).toBe(true)
  }))

test('a temporary file can be read while it grows, and the writing stops when it is deleted', () =>
  inFolder((folder) => {
    const path = join(folder, 'a')
    const sizes: number[] = []
    const pieces = function* () {
      for (let piece = 0; piece < 100; piece++) yield 'ä'.repeat(50_000)
    }
    const grown = (bytes: number) => {
      sizes.push(bytes)
      expect(statSync(path).size).toBe(bytes)
      expect(statSync(path).mode & 0o777).toBe(0o600)
      if (sizes.length === 3) unlinkSync(path)
    }
    expect(writeTemporary(path, pieces(), grown)).toBeLessThan(2_000_000)
    expect(sizes).toEqual([100_000, 400_000, 700_000])
    expect(readdirSync(folder)).toEqual([])
  }))

function cancel(): void {
  throw new Error('cancelled')
}

test('a missing folder is an error', () => {
  expect(() => inFolder((folder) => writeTemporary(join(folder, 'missing', 'a.csv'), csvChunks(failing())))).toThrow(
    'ENOENT',
  )
})

test('both write inside a worker thread', async () => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url).href)
  const done = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = reject
    worker.postMessage('begin')
  })
  worker.terminate()
  expect(done).toEqual({
    csv: 'a,b\r\n1,x\r\n2,y\r\n',
    xlsx: [
      ['a', 'b'],
      [1, 'x'],
      [2, 'y'],
    ],
    told: [2, 2],
  })
})
