/**
 * Digests that tie rows to the audit trail: `<version>:<SHA-256 in hex>`. Hashes that people keep and can compute
 * themselves (chain heads, signatures, configuration versions, files) have no version; that means version 1.
 */
import { sha256 } from '#kernel/id'
import { storedJson } from '#kernel/text'

/** Returns the text of a row that is hashed. It names each field, so that a new column in the table changes no digest. */
export type RowText<R> = (row: R) => string

/** The problem of a digest or hash whose version is unknown, as the end of a sentence; undefined if the version is known. */
export function unknownVersion(recorded: string, newest: number): string | undefined {
  const version = versionOf(recorded)
  if (version >= 1 && version <= newest) return undefined
  return `has a digest of version ${version}, which this program does not know: use a newer one`
}

const versionOf = (recorded: string): number => Number(/^(\d+):/.exec(recorded)?.[1] ?? 1)

export type Digest<R> = {
  /** The digest by the newest version. */
  of(row: R): string
  /** The problem of the digest that was recorded for the row, as the end of a sentence; undefined if it fits. */
  problem(row: R, recorded: string | undefined): string | undefined
}

/** These fields as JSON, in this order. */
export const textOfFields =
  <R>(names: readonly (keyof R)[]): RowText<R> =>
  (row) =>
    storedJson(names.map((name) => row[name]))

/** @param versions all versions by which digests were made, from version 1 on. Never change one: add another. */
export function digest<R>(...versions: readonly RowText<R>[]): Digest<R> {
  const hash = (row: R, version: number) => `${version}:${sha256(versions[version - 1]!(row))}`
  return {
    of: (row) => hash(row, versions.length),
    problem(row, recorded = '') {
      const unknown = unknownVersion(recorded, versions.length)
      return unknown ?? (hash(row, versionOf(recorded)) === recorded ? undefined : 'does not fit its digest')
    },
  }
}
