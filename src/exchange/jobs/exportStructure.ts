import { join } from 'node:path'
import { configuration } from '#design/configuration/configuration'
import { trialById } from '#design/trials/store'
import type { Source } from '#exchange/imports/model'
import { structureOf } from '#exchange/imports/structure'
import { writePlan } from '#exchange/imports/write/write'
import type { Work } from '#jobs/work'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import { replaceFile } from '#writers/file'

export type StructureTask = {
  format: Source
  trial: Id
  /** Null for all. */
  stage: Id | null
  /** The name of the file among the exports. */
  file: string
  /** As ODM writes it. */
  createdAt: string
}

/** Writes the structure of a stage or of a whole study to a file among the exports. */
export const exportStructure: Work = ({ format, trial, stage, file, createdAt }: StructureTask, { db, ground }) =>
  db.transaction(() => {
    const row = found(trialById(db, trial), 'trial')
    const { stages, stageOrder, dataTypes } = configuration(db, row)
    const asked = stage === null ? stageOrder : [found(stages.get(stage), 'stage')]
    const plan = structureOf(asked, dataTypes, stage === null)
    const { content, warnings } = writePlan(plan, format, { study: row.name, createdAt })
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    replaceFile(join(ground.exports, file), (output) => output.write(bytes))
    return { bytes: bytes.length, warnings }
  })
