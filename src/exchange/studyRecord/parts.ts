import type { Sheet } from '#writers/cell'
import { csvChunks } from '#writers/csv'
import { type Output, readPieces } from '#writers/file'
import { zipTo } from '#writers/zip'

type Hash = { update(content: string | Uint8Array): unknown; digest(as: 'hex'): string }
const sha256 = (): Hash => new Bun.CryptoHasher('sha256')

/** An archive whose last part, MANIFEST, says the SHA-256 of every other, in the form that `sha256sum -c` checks. */
export function manifested(output: Output) {
  const zip = zipTo(output)
  const lines: string[] = []
  const list = (name: string, hash: string) => {
    lines.push(`${hash}  ${name}\n`)
    return hash
  }
  return {
    /** Adds text in pieces. */
    text(name: string, pieces: Iterable<string>): void {
      const hash = sha256()
      const part = zip.part(name)
      for (const piece of pieces) {
        hash.update(piece)
        part.write(piece)
      }
      part.end()
      list(name, hash.digest('hex'))
    },
    sheet(name: string, sheet: Sheet): void {
      this.text(name, csvChunks(sheet))
    },
    /** Adds a file of that size as it is; answers its SHA-256. */
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

export type Parts = ReturnType<typeof manifested>

function* hashed(pieces: Iterable<Uint8Array>, hash: Hash): Generator<Uint8Array> {
  for (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}
