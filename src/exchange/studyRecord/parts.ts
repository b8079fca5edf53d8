import type { Sheet } from '#writers/cell'
import { csvChunks } from '#writers/csv'
import { type Output, readPieces } from '#writers/file'
import { zipTo } from '#writers/zip'

type Hash = { update(content: string | Uint8Array): unknown; digest(as: 'hex'): string }
const sha256 = (): Hash => new Bun.CryptoHasher('sha256')

/** Writes an archive whose last part, MANIFEST, lists the SHA-256 of every other part, in the format of `sha256sum -c`. */
export function openParts(output: Output) {
  const zip = zipTo(output)
  const lines: string[] = []
  const list = (name: string, hash: string) => {
    lines.push(`${hash}  ${name}\n`)
    return hash
  }
  return {
    /** Adds a part from pieces of text. */
    async text(name: string, pieces: Iterable<string>): Promise<void> {
      const hash = sha256()
      const part = zip.part(name)
      for (const piece of pieces) {
        hash.update(piece)
        await part.write(piece)
      }
      await part.end()
      list(name, hash.digest('hex'))
    },
    /** Adds a table as it is: programs and people compare its texts with what was sent, so no formula is escaped. */
    sheet(name: string, sheet: Sheet): Promise<void> {
      return this.text(name, csvChunks(sheet, { escapeFormulas: false }))
    },
    /** Adds bytes without compression. */
    bytes(name: string, bytes: Uint8Array): void {
      const hash = sha256()
      zip.store(name, bytes.length, hashed([bytes], hash))
      list(name, hash.digest('hex'))
    },
    /** Adds a file of that size without compression. Returns its SHA-256. */
    file(name: string, size: number, path: string): string {
      const hash = sha256()
      zip.store(name, size, hashed(readPieces(path), hash))
      return list(name, hash.digest('hex'))
    },
    end(): void {
      zip.add('MANIFEST', lines.join(''))
      zip.end()
    },
  }
}

export type Parts = ReturnType<typeof openParts>

function* hashed(pieces: Iterable<Uint8Array>, hash: Hash): Generator<Uint8Array> {
  for (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}
