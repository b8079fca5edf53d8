/** Essential records as they are shown. */
import type { Writer } from '#texts/writer'
import { essentialRecords, referencesOf } from './records'
import { titleOf } from './titles'

/** All records, with their titles in the language of the writer. */
export const definitionsIn = (writer: Writer) =>
  essentialRecords.map((record) => {
    const { id, level, due, types, words, isConditional, isIndispensable, isPersonal, source } = record
    return {
      ...{ record: id, title: titleOf(writer, id), references: referencesOf(record), level, due, types, words },
      ...{ isConditional: isConditional ?? false, isIndispensable: isIndispensable ?? false },
      ...{ isPersonal: isPersonal ?? false, source: source ?? null },
    }
  })
