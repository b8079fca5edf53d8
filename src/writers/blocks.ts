/** Texts under several keys in one temporary file, each of which is read again by itself: memory does not grow with them. */
import { closeSync, constants, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { randomBytes } from '#kernel/cryptography'

export type Blocks = {
  /** Adds a text at the end of those of its key. */
  add(key: string, text: string): void
  /** The texts of a key in their order, joined to pieces of some size. */
  pieces(key: string): Generator<string>
}

/** The most UTF-16 units of all keys that wait to be written, and the most of one key. */
const MOST = 1 << 22
const BLOCK = 1 << 16

type Block = { at: number; bytes: number }
type KeyTexts = { waiting: string[]; units: number; blocks: Block[] }

/**
 * Lends blocks to `use`. Their file is beside `path`, only its owner may read it, and it is removed whatever happens: on systems that
 * allow it, at once, so that it is gone even if the process is killed.
 */
export async function withBlocks<T>(path: string, use: (blocks: Blocks) => Promise<T>): Promise<T> {
  const name = `${path}.${randomBytes(6).toString('hex')}.rows`
  const file = openSync(name, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    if (process.platform !== 'win32') rmSync(name)
    return await use(blocksIn(file))
  } finally {
    closeSync(file)
    rmSync(name, { force: true })
  }
}

function blocksIn(file: number): Blocks {
  const byKey = new Map<string, KeyTexts>()
  let size = 0
  let units = 0

  function flush(keyTexts: KeyTexts): void {
    if (!keyTexts.waiting.length) return
    const bytes = Buffer.from(keyTexts.waiting.join(''))
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, size + done)
    keyTexts.blocks.push({ at: size, bytes: bytes.length })
    size += bytes.length
    units -= keyTexts.units
    keyTexts.waiting = []
    keyTexts.units = 0
  }

  return {
    add(key, text) {
      const keyTexts = byKey.get(key) ?? { waiting: [], units: 0, blocks: [] }
      byKey.set(key, keyTexts)
      keyTexts.waiting.push(text)
      keyTexts.units += text.length
      units += text.length
      if (keyTexts.units >= BLOCK) flush(keyTexts)
      if (units >= MOST) for (const each of byKey.values()) flush(each)
    },
    *pieces(key) {
      const keyTexts = byKey.get(key)
      if (!keyTexts) return
      flush(keyTexts)
      for (const { at, bytes } of keyTexts.blocks) {
        const buffer = Buffer.allocUnsafe(bytes)
        for (let done = 0; done < bytes; ) {
          const read = readSync(file, buffer, done, bytes - done, at + done)
          if (read === 0) throw new Error('The temporary file is shorter than what was written to it.')
          done += read
        }
        yield buffer.toString('utf8')
      }
    },
  }
}
