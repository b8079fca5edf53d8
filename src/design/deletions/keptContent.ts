/** What is kept of a deletion: its rows as compressed JSON, in parts, with a hash of all of them. */
import type { CapturedRow } from '#db/capture'
import type { Db } from '#db/open'
import { fault } from '#kernel/fault'
import { type Id, sha256 } from '#kernel/id'
import { filesOf, insertPart, type KeptFile, partsOf } from './store'

/** Rows in a part: enough to compress well, few enough that no part is very large. */
const ROWS = 2_000

const filesText = (files: readonly KeptFile[]) =>
  files.map(({ storedName, sha256, row }) => `${storedName} ${sha256} ${row}`).join('\n')

/** The hash of parts and files. Digests of the audit trail cover it, and so the rows. */
const hashOf = (parts: readonly string[], files: readonly KeptFile[]): string =>
  sha256(JSON.stringify([parts.map((part) => sha256(part)), sha256(filesText(files))]))

/** Stores the rows of a deletion; its files are stored already. Returns the hash. */
export function storeContent(db: Db, deletion: Id, rows: readonly CapturedRow[]): string {
  const parts: string[] = []
  for (let from = 0; from < rows.length; from += ROWS) parts.push(JSON.stringify(rows.slice(from, from + ROWS)))
  for (const [number, part] of parts.entries())
    insertPart(db, deletion, number, Bun.zstdCompressSync(part, { level: 1 }))
  return hashOf(parts, filesOf(db, deletion))
}

const textsOf = (db: Db, deletion: Id): string[] =>
  partsOf(db, deletion).map((content) => Buffer.from(Bun.zstdDecompressSync(content)).toString())

/** What is wrong with what is kept; undefined if it is what was deleted. */
export function contentProblem(db: Db, { _id, hash }: { _id: Id; hash: string | null }): string | undefined {
  try {
    return hashOf(textsOf(db, _id), filesOf(db, _id)) === hash ? undefined : 'is not what was deleted'
  } catch {
    return 'cannot be read'
  }
}

/** The rows of a deletion. @throws a fault if they are not what was deleted */
export function contentOf(db: Db, deletion: { _id: Id; hash: string | null }): CapturedRow[] {
  const problem = contentProblem(db, deletion)
  if (problem) throw fault(`What is kept of deletion ${deletion._id} ${problem}.`)
  return textsOf(db, deletion._id).flatMap((text) => JSON.parse(text) as CapturedRow[])
}
