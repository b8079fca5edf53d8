/** The manifest of a backup: the last file of its archive, so that an incomplete archive has none. */
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { fault } from '#kernel/fault'

export const MANIFEST = 'manifest.json'

/** Increased when the layout of archives changes in a way that older versions would misread. */
export const FORMAT = 1

const Manifest = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  /** The version of the program that made the backup, and when (ISO 8601). */
  version: Type.String(),
  createdAt: Type.String(),
  /** The number of migrations that were applied to the database. */
  schema: Type.Integer({ minimum: 1 }),
  /** Number of rows by table. */
  counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /**
   * The last hash of each chain of the audit trail, in the form that `verify --heads` prints and `verify --against`
   * reads.
   */
  heads: Type.Array(Type.String()),
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      size: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
  ),
  /** Uploads in the database that were missing on the disk, or differed from what was uploaded. */
  amiss: Type.Array(Type.Object({ name: Type.String(), problem: Type.String() })),
})
export type Manifest = typeof Manifest.static

/** How much is in a backup, as a line for people. */
export const contentOf = ({ counts, files }: Pick<Manifest, 'counts' | 'files'>): string => {
  const { trials = 0, participants = 0, storedSubmissions = 0 } = counts
  return `${trials} trials, ${participants} participants, ${storedSubmissions} submissions, ${files.length} files`
}

const check = TypeCompiler.Compile(Manifest)

/** Reads a manifest. @throws a fault if the text is not a manifest, or a newer version wrote it */
export function readManifest(text: string): Manifest {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch {
    // Reported below, as for any other text that is not a manifest.
  }
  const { format, version } = (manifest ?? {}) as Partial<Manifest>
  if (typeof format === 'number' && format > FORMAT)
    throw fault(`The backup was made by Trialbox ${version}, which is newer than this one: use that version.`)
  if (!check.Check(manifest)) throw fault('The backup is damaged: its manifest cannot be read.')
  return manifest
}
