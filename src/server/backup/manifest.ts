/** What a backup says of itself: the last file of its archive, so that one cut short has none. */
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { fault } from '#kernel/fault'

export const MANIFEST = 'manifest.json'

/** Raised when archives are laid out in a way that older versions would misread. */
export const FORMAT = 1

const Manifest = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  /** The program that made it, and when (ISO 8601). */
  version: Type.String(),
  createdAt: Type.String(),
  /** The migrations its database has had. */
  schema: Type.Integer({ minimum: 1 }),
  /** Rows by table. */
  counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /**
   * What each chain of its audit trail ends with: `trialbox verify --against` takes them as `verify --heads` prints
   * them.
   */
  heads: Type.Array(Type.String()),
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      size: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
  /** Uploads that the database knows and the disk had no longer, or not as they were uploaded. */
  amiss: Type.Array(Type.Object({ name: Type.String(), problem: Type.String() })),
})
export type Manifest = typeof Manifest.static

const check = TypeCompiler.Compile(Manifest)

/** Reads a manifest. @throws a fault where it is none, or a newer version wrote it */
export function readManifest(text: string): Manifest {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch {
    // said below
  }
  const { format, version } = (manifest ?? {}) as Partial<Manifest>
  if (typeof format === 'number' && format > FORMAT)
    throw fault(`The backup was made by Trialbox ${version}, which is newer than this one: use that version.`)
  if (!check.Check(manifest)) throw fault('The backup is damaged: what it says of itself cannot be read.')
  return manifest
}
