import type { Db } from '#db/open'
import { updateWhere } from '#db/rows'
import { files } from '#db/tables/index'
import type { Configuration } from '#design/configuration/configuration'
import { UPLOAD_FORMATS } from '#kernel/formats'
import type { Id } from '#kernel/id'
import type { LinkMaker } from '#storage/storage'
import { type StoredFile, usableFile } from '#storage/store'
import { type ResponseRow, submissionsOf } from './store'

/**
 * The URL of an uploaded file that is an answer. Undefined for answers of other formats, and if the file does not belong to
 * the owner of the response.
 */
export function fileUrlOf(
  db: Db,
  { dataTypes }: Pick<Configuration, 'dataTypes'>,
  { _id, participant }: Pick<ResponseRow, '_id' | 'participant'>,
  dataType: Id,
  value: unknown,
  link: LinkMaker,
): string | undefined {
  if (typeof value !== 'object' || value === null || !UPLOAD_FORMATS.has(dataTypes.get(dataType)?.format ?? ''))
    return undefined
  const { fileName, name } = value as { fileName: string; name: string }
  return usableFile(db, fileName, 'participant', participant ?? _id) ? link(fileName, name) : undefined
}

/** Every stored file name in a value, at any depth. */
export function storedNamesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { fileName } = value as { fileName?: unknown }
  return [...(typeof fileName === 'string' ? [fileName] : []), ...Object.values(value).flatMap(storedNamesIn)]
}

/** The author of uploads before the first sign-in. Names of these files are hidden in the log, as those of participants are. */
export const UNKNOWN_UPLOADER = 'screening'

/** The owner of uploads that came with a consent, until the answers that name them are stored. */
export const consentUploadOwner = (consent: Id) =>
  ({ forType: 'trial', forId: consent, createdBy: UNKNOWN_UPLOADER }) as const

/** The finished upload with that stored name, if it came with the consent and no answer was stored with it. */
export const fileOfConsent = (db: Db, storedName: string, consent: Id): StoredFile | undefined => {
  const file = usableFile(db, storedName, 'trial', consent)
  return file?.createdBy === UNKNOWN_UPLOADER ? file : undefined
}

/** Gives uploads that came with a consent to a response or a participant. @param names those with these stored names; else all */
export function adoptFiles(db: Db, consent: Id, owner: Id, names?: readonly string[]): void {
  const change = { forType: 'participant', forId: owner } as const
  for (const which of names ? names.map((storedName) => ({ storedName })) : [{}])
    updateWhere(db, files, { ...which, kind: 'upload', ...consentUploadOwner(consent) }, change)
}

/**
 * Makes all files that are or were answers in a response files of its new owner: otherwise they are deleted with the old one.
 * @param owner a participant, or the response itself while it has no participant
 */
export function transferFiles(db: Db, response: Id, from: Id, owner: Id): void {
  const names = new Set(submissionsOf(db, response).flatMap(({ values }) => storedNamesIn(JSON.parse(values))))
  for (const storedName of names) {
    updateWhere(db, files, { storedName, kind: 'upload', forType: 'participant', forId: from }, { forId: owner })
  }
}
