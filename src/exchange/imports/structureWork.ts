import { join } from 'node:path'
import { configuration } from '#design/configuration/configuration'
import type { Warning } from '#design/stages/importPlan'
import type { StructureTask } from '#design/structures/task'
import { settingsOf } from '#design/trials/rules'
import { trialById } from '#design/trials/store'
import { writeOdm } from '#exchange/imports/write/odm'
import { warningsOf, writePlan } from '#exchange/imports/write/write'
import type { Work } from '#jobs/work'
import { found } from '#kernel/problem'
import { parseInstant } from '#kernel/time'
import { replaceFile } from '#writers/file'
import { structureOf } from './structure'

type StructureResult = { bytes: number; warnings: Warning[] }

export const structureWork: Work<StructureTask, StructureResult> = (
  { format, trial, stage, file, createdAt },
  { db, setup },
) =>
  db.transaction(() => {
    const row = found(trialById(db, trial), 'trial')
    const { stages, stageOrder, dataTypes } = configuration(db, row)
    const asked = stage === null ? stageOrder : [found(stages.get(stage), 'stage')]
    const plan = structureOf(asked, dataTypes, stage === null, settingsOf(row).languages[0])
    const written =
      format === 'odm' ? writeOdm(db, row, stage, plan, parseInstant(createdAt)!) : writePlan(plan, format)
    const { content } = written
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    replaceFile(join(setup.exports, file), (output) => output.write(bytes))
    return { bytes: bytes.length, warnings: warningsOf(plan, written) }
  })
