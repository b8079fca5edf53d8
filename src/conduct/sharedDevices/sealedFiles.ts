/** Files of answers that a shared tablet sealed: under which names they are stored, and how answers refer to them. */
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import { markUploadsUsed } from '#http/storedNames'
import type { Id } from '#kernel/id'
import { hashBytes } from '#kernel/seal'
import { fileExtension } from '#storage/names'
import { fileByName, usableFile } from '#storage/store'
import type { Pass } from './pass'

/**
 * The stored name of a file: it follows from whose it is and from its id on the tablet, so that a part that is sent again finds the
 * same file. It cannot be guessed without the key of the server. A file that began to arrive with an earlier key keeps its name.
 */
export function sealedFileName(
  { db, services: { seal } }: { db: Db; services: Pick<Services, 'seal'> },
  { participant }: Pass,
  file: string,
  name: string,
): string {
  const [current = '', ...earlier] = seal.keys.map((key) => {
    const hash = hashBytes(key, `file of a shared device ${participant} ${file}`).toString('hex')
    return `${hash.slice(0, 24)}-${hash.slice(24, 56)}${fileExtension(name)}`
  })
  return earlier.find((storedName) => fileByName(db, storedName)) ?? current
}

type Answer = { value?: unknown }
type EntryWithAnswers = { response: Readonly<Record<string, Answer>>; withoutFiles?: boolean | undefined; by: Pass }

const sealedFileOf = (value: unknown): { sealedFile: string; name: string } | undefined => {
  const { sealedFile, name } = Object(value)
  return typeof sealedFile === 'string' && typeof name === 'string' ? { sealedFile, name } : undefined
}

/** The entry with the files that have arrived, which are kept from now on. Answers whose file has not are left out. */
export function attachFiles<Entry extends EntryWithAnswers>(
  { db, services }: { db: Db; services: Pick<Services, 'seal'> },
  entry: Entry,
): Entry {
  const { response, by } = entry
  const kept: Record<string, Answer> = {}
  let withoutFiles = entry.withoutFiles
  for (const [dataType, answer] of Object.entries(response)) {
    const of = sealedFileOf(answer.value)
    const file = of && finishedUpload(db, sealedFileName({ db, services }, by, of.sealedFile, of.name), by.participant)
    if (of && !file) withoutFiles = true
    else kept[dataType] = of ? { ...answer, value: { fileName: file?.storedName, name: of.name } } : answer
  }
  markUploadsUsed(db, kept)
  return { ...entry, response: kept, withoutFiles }
}

const finishedUpload = (db: Db, storedName: string, participant: Id) =>
  usableFile(db, storedName, 'participant', participant)
