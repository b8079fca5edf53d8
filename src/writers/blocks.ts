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
type Kept = { waiting: string[]; units: number; blocks: Block[] }

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
  const byKey = new Map<string, Kept>()
  let size = 0
  let units = 0

  function flush(kept: Kept): void {
    if (!kept.waiting.length) return
    const bytes = Buffer.from(kept.waiting.join(''))
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, size + done)
    kept.blocks.push({ at: size, bytes: bytes.length })
    size += bytes.length
    units -= kept.units
    kept.waiting = []
    kept.units = 0
  }

  return {
    add(key, text) {
      const kept = byKey.get(key) ?? { waiting: [], units: 0, blocks: [] }
      byKey.set(key, kept)
      kept.waiting.push(text)
      kept.units += text.length
      units += text.length
      if (kept.units >= BLOCK) flush(kept)
      if (units >= MOST) for (const each of byKey.values()) flush(each)
    },
    *pieces(key) {
      const kept = byKey.get(key)
      if (!kept) return
      flush(kept)
      for (const { at, bytes } of kept.blocks) {
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
