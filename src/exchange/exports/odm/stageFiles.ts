/** An ODM file for each stage, for archives that have the data of each stage: the data is read first, in one pass of the participants. */
import type { Trial } from '#design/trials/store'
import type { ExportContext } from '#exchange/exports/context'
import { oncePerKey } from '#exchange/exports/datasets/identity'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Blocks } from '#writers/blocks'
import { documentEnd, documentStart } from './document'
import { editionOf } from './edition'
import { type Form, formsOf } from './forms'
import { adminOf, languagesOf } from './read'
import { type SubjectReader, subjectElement, subjectsOf } from './subject'

/** After so many participants garbage is collected. */
const COLLECTED = 500

/**
 * Keeps the data of all stages as ODM 1.3.2, the participants with a response to each. Call it in the transaction of its moment.
 * @param study the name, code and description of the study
 * @returns the file of a stage in pieces, which may be read when the transaction has ended
 */
export function spoolStageFiles(
  blocks: Blocks,
  from: ExportContext,
  trial: Trial,
  at: Instant,
): (stage: Id) => Generator<string> {
  const edition = editionOf('1.3.2', languagesOf(trial))
  const forms = new Map(formsOf(from).map((form): [Id, Form] => [form.stage._id, form]))
  const admins = oncePerKey((_stage: Id | undefined) => adminOf(from, edition))
  const reader: SubjectReader = {
    ...{ from, forms, edition, withHistory: false },
    adminOf: admins,
    onReplacedCharacters: () => {},
  }
  let count = 0
  for (const { owner, rows, review } of subjectsOf(reader, true)) {
    for (const [stage, own] of Map.groupBy(rows, ({ stage }) => stage))
      blocks.add(stage, `${subjectElement(reader, { owner, rows: own, review }, stage)}\n`)
    if (++count % COLLECTED === 0) Bun.gc(true)
  }
  // The metadata and the users are of this moment, too: they are few.
  const beginnings = new Map(
    [...forms].map(([stage, form]): [Id, string] => [
      stage,
      [...documentStart({ from, forms: [form], edition, study: trial, at, admin: admins(stage), stage })].join(''),
    ]),
  )
  return function* (stage) {
    yield beginnings.get(stage) ?? ''
    yield* blocks.pieces(stage)
    yield documentEnd
  }
}
