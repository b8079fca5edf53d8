import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { streamAndDelete } from '#storage/temporaryFiles'
import { temporaryFolder } from '../temporary'

async function fileOf(content: Uint8Array) {
  const folder = temporaryFolder()
  const path = join(folder, 'answer')
  await Bun.write(path, content)
  return { path, done: () => rmSync(folder, { recursive: true }) }
}

/** Whether this process still has the file open. Only Linux can tell. */
const isHeld = (path: string) =>
  readdirSync('/proc/self/fd').some((file) => {
    try {
      return readlinkSync(`/proc/self/fd/${file}`).startsWith(path)
    } catch {
      return false
    }
  })

test.each([0, 1, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 3_000_000])(
  'sends %d bytes and leaves no file open',
  async (size) => {
    const content = crypto.getRandomValues(new Uint8Array(Math.min(size, 65_536)))
    const bytes = new Uint8Array(size).map((_, at) => content[at % content.length]!)
    const { path, done } = await fileOf(bytes)
    const got = await new Response(streamAndDelete(path)).bytes()
    expect(Buffer.compare(got, bytes)).toBe(0)
    expect(existsSync(path)).toBe(false)
    done()
  },
)

test.skipIf(process.platform !== 'linux')('a client that disconnects leaves no file open either', async () => {
  const { path, done } = await fileOf(new Uint8Array(3_000_000))
  const reader = streamAndDelete(path).getReader()
  await reader.read()
  expect(isHeld(path)).toBe(true)
  await reader.cancel()
  expect([isHeld(path), existsSync(path)]).toEqual([false, false])
  done()
})

test('a missing file throws at once', () => {
  expect(() => streamAndDelete(join(temporaryFolder(), 'no such answer'))).toThrow()
})
