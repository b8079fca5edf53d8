/** Writes the stages of a trial as CDISC ODM 1.3.2: the file of an export, without participants and data. */
import { keys } from '#access/keys'
import type { Db } from '#db/open'
import type { ImportPlan } from '#design/stages/importPlan'
import type { Trial } from '#design/trials/store'
import { exportContextOf } from '#exchange/exports/context'
import { structurePieces } from '#exchange/exports/odm/document'
import { editionOf } from '#exchange/exports/odm/edition'
import { formsOf } from '#exchange/exports/odm/forms'
import { languagesOf } from '#exchange/exports/odm/read'
import { extrasOf } from '#exchange/imports/common/extras'
import { planOf } from '#exchange/imports/common/languages'
import { draftFromOdm } from '#exchange/imports/odm/read'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { PlanFile } from './planFile'

/** A person who may read the stages sees all of their questions. */
const ALL = { trial: [...keys], places: [] }

/**
 * Writes the file. What ODM cannot hold is in aliases of ours, which other tools ignore.
 * @param stage null for all
 * @param plan the same stages as a plan
 */
export function writeOdm(db: Db, trial: Trial, stage: Id | null, plan: ImportPlan, at: Instant): PlanFile {
  const from = exportContextOf(db, { trial: trial._id, stage, needs: [], access: ALL })
  const forms = formsOf(from, ({ configuration }, asked) => configuration.fieldsOf(asked))
  const edition = editionOf('1.3.2', languagesOf(trial))
  const write = (readsConfiguration: boolean) =>
    [
      ...structurePieces({
        from: { ...from, readsConfiguration },
        forms,
        edition,
        study: trial,
        at,
        stage: stage ?? undefined,
      }),
    ].join('')
  const content = write(true)
  if (!plan.stages.length) return { content, extras: { stages: [], components: [] } }
  return { content, extras: extrasOf(plan, planOf(draftFromOdm(write(false)), true), true) }
}
