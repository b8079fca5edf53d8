import { join } from 'node:path'
import type { Source } from '../../features/imports/plan'
import { structureOf } from '../../features/imports/structure'
import { writePlan } from '../../features/imports/write/write'
import { configuration } from '../../features/stages/configuration'
import { trialById } from '../../features/trials/queries'
import type { Id } from '../../kernel/id'
import { found } from '../../kernel/problem'
import { replaceFile } from '../../writers/file'
import type { Work } from '../work'

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
