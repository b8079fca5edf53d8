import { statSync } from 'node:fs'
import type { Keys } from '#kernel/keyring'
import { refuse } from '#kernel/problem'
import type { Sheet } from '#writers/cell'
import { csvChunks } from '#writers/csv'
import { type Output, readPieces } from '#writers/file'
import { PART_LIMIT, zipTo } from '#writers/zip'
import { MANIFEST, recordKeys, SIGNATURE, signatureText } from './signature'

type Hash = { update(content: string | Uint8Array): unknown; digest(as: 'hex'): string }
const sha256 = (): Hash => new Bun.CryptoHasher('sha256')

/**
 * Writes an archive whose last two parts are MANIFEST, which lists the SHA-256 of every part before it in the format of
 * `sha256sum -c`, and its signature.
 * @param storageKey the secret that the key of the signature follows from
 */
export function openSignedArchive(output: Output, storageKey: Keys) {
  const zip = zipTo(output)
  const lines: string[] = []
  const list = (name: string, hash: string) => {
    lines.push(`${hash}  ${name}\n`)
    return hash
  }
  return {
    /** Adds a part from pieces of text. Returns its SHA-256. */
    async text(name: string, pieces: Iterable<string>): Promise<string> {
      const hash = sha256()
      const part = zip.part(name)
      for (const piece of pieces) {
        hash.update(piece)
        await part.write(piece)
      }
      await part.end()
      return list(name, hash.digest('hex'))
    },
    /** Adds a table as it is: programs and people compare its texts with what was sent, so no formula is escaped. */
    sheet(name: string, sheet: Sheet): Promise<string> {
      return this.text(name, csvChunks(sheet, { escapeFormulas: false }))
    },
    /** Adds a file, compressed. Returns its SHA-256. @throws 400 if it is larger than 4 GB */
    async packed(name: string, path: string): Promise<string> {
      if (statSync(path).size > PART_LIMIT) throw refuse.bad('partTooLargeForZip', { name })
      const hash = sha256()
      const part = zip.part(name)
      // All pieces share one buffer, and the next piece is read while this one is compressed.
      for (const piece of hashPieces(readPieces(path), hash)) await part.write(Uint8Array.from(piece))
      await part.end()
      return list(name, hash.digest('hex'))
    },
    /** Adds bytes without compression. Returns their SHA-256. */
    bytes(name: string, bytes: Uint8Array): string {
      const hash = sha256()
      zip.store(name, bytes.length, hashPieces([bytes], hash))
      return list(name, hash.digest('hex'))
    },
    /** Adds a file of that size without compression. Returns its SHA-256. */
    file(name: string, size: number, path: string): string {
      const hash = sha256()
      zip.store(name, size, hashPieces(readPieces(path), hash))
      return list(name, hash.digest('hex'))
    },
    end(): void {
      const manifest = lines.join('')
      zip.add(MANIFEST, manifest)
      zip.add(SIGNATURE, signatureText(recordKeys(storageKey), manifest))
      zip.end()
    },
  }
}

export type ArchiveWriter = ReturnType<typeof openSignedArchive>

function* hashPieces(pieces: Iterable<Uint8Array>, hash: Hash): Generator<Uint8Array> {
  for (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}
