/** A file that is sent while another thread writes it. */
import { expect, test } from 'bun:test'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGrowth, streamGrowing } from '#storage/growingFile'
import { temporaryFolder } from '../temporary'
import '../harness'
import { until } from '../until'

/** A file with its first four bytes, and the reader of its stream. `grow` writes more and says so. */
function begun() {
  const path = join(temporaryFolder(), 'export')
  writeFileSync(path, 'one ')
  const grows = createGrowth()
  grows.setSize(4)
  let size = 4
  const grow = (text: string) => {
    appendFileSync(path, text)
    grows.setSize((size += text.length))
  }
  const reader = streamGrowing(path, grows).getReader()
  const read = async () => {
    const { value, done } = await reader.read()
    return done ? undefined : new TextDecoder().decode(value)
  }
  return { path, grows, grow, read, reader }
}

test('what is written is sent at once, and the end when the writer has ended', async () => {
  const { path, grows, grow, read } = begun()
  expect(await read()).toBe('one ')
  const next = read()
  await Bun.sleep(1)
  grow('two ')
  expect(await next).toBe('two ')
  grow('three')
  grows.finish()
  expect(await read()).toBe('three')
  expect(existsSync(path)).toBe(true)
  expect(await read()).toBeUndefined()
  expect(existsSync(path)).toBe(false)
})

test('more than a piece is sent in pieces', async () => {
  const { grows, grow, read } = begun()
  grow('x'.repeat(600_000))
  grows.finish()
  let all = ''
  for (let text = await read(); text !== undefined; text = await read()) all += text
  expect(all).toBe(`one ${'x'.repeat(600_000)}`)
})

test('if the writing fails, what was written is sent and then the stream fails, and the file is gone', async () => {
  const { path, grows, read } = begun()
  grows.finish(new Error('disk full'))
  expect(await read()).toBe('one ')
  expect(read()).rejects.toThrow('disk full')
  await until(() => !existsSync(path))
  expect(existsSync(path)).toBe(false)
})

test('a reader who goes away deletes the file, whether it has read of it or not', async () => {
  const first = begun()
  await first.reader.cancel()
  expect(existsSync(first.path)).toBe(false)
  const second = begun()
  await second.read()
  await second.reader.cancel()
  expect(existsSync(second.path)).toBe(false)
})
