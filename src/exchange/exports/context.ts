/** What every format of an export needs: the trial's configuration, and what the reader may see. */

import { holdsAnywhere, type Places } from '#access/caller'
import { unpackAccess } from '#access/packedAccess'
import { lastNumber } from '#conduct/responses/store'
import type { Db } from '#db/open'
import { type Configuration, configuration } from '#design/configuration/configuration'
import type { HiddenFieldTest } from '#design/hiddenFields/hiddenFields'
import type { StageRow } from '#design/stages/store'
import { trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { includesOf, placesIn, selectedMomentTest, stagesIn } from './filters'
import { type Changes, changesSince, type ResponseFilter } from './pages'
import { answeredDataTypes, keepParticipants, type Moment, placeNames } from './store'
import { type ExportTask, type Filters, scopesOf } from './task'
import { hiddenEverywhere, type VisibilityAt, visibilityAt } from './visibility'

export type ExportContext = {
  db: Db
  trial: Id
  configuration: Configuration
  /** In order. */
  stages: readonly StageRow[]
  /** Participants must be in each of them. */
  scopes: readonly Places[]
  /** Set if the export is read in steps. */
  moment: Moment | undefined
  changes: Changes | undefined
  flags: Filters['flags']
  /** Undefined if no filter asks about responses. */
  includes: ResponseFilter | undefined
  /** Whether the filters ask for changes at a moment. */
  isSelectedMoment: (at: Instant) => boolean
  /** The `id` of each site and the name of each group, by `_id`. */
  placeNames: ReadonlyMap<Id, string>
  visibility: VisibilityAt
  hiddenEverywhere: HiddenFieldTest
  /** Whether the reader may read how the stages are set up, besides the data. */
  readsConfiguration: boolean
}

/**
 * Reads what an export needs. Call it within the transaction in which the whole export is read, or its first step.
 * @param as the configuration of the export, if it is not the trial's current one
 * @param isStepwise the rest is read in steps: then the participants are kept, and the caller drops them at the end
 */
export function exportContextOf(
  db: Db,
  task: Omit<ExportTask, 'format' | 'file'>,
  { atConfiguration, isStepwise = false }: { atConfiguration?: Configuration; isStepwise?: boolean } = {},
): ExportContext {
  const trial = found(trialById(db, task.trial), 'trial')
  const config = atConfiguration ?? configuration(db, trial)
  const access = unpackAccess(task.access)
  const scopes = [...scopesOf(access, task.needs), ...placesIn(task.filters)]
  const moment = isStepwise
    ? { submission: lastNumber(db, 'submissions'), event: lastNumber(db, 'responseEvents') }
    : undefined
  const { filters } = task
  const flags = filters?.flags
  if (moment) keepParticipants(db, trial._id, scopes, flags)
  return {
    db,
    trial: trial._id,
    configuration: config,
    stages: task.stage === null ? stagesIn(config, filters) : [found(config.stages.get(task.stage), 'stage')],
    scopes,
    flags,
    includes: includesOf(db, filters),
    isSelectedMoment: selectedMomentTest(filters),
    moment,
    changes: moment && changesSince({ db, scopes, flags, trial: trial._id }, moment),
    placeNames: placeNames(db, trial._id),
    visibility: visibilityAt(config, access),
    hiddenEverywhere: hiddenEverywhere(config, access),
    readsConfiguration: holdsAnywhere(access, 'read'),
  }
}

/** The data types of a stage that the reader may see: those it asks for, then those it asked for earlier. */
export function visibleFields({ db, configuration, hiddenEverywhere }: ExportContext, stage: Id): Id[] {
  const currentFields = configuration.fieldsOf(stage)
  const answered = new Set(answeredDataTypes(db, stage))
  // In the order of the configuration; those that were deleted come last.
  const known = [...configuration.dataTypes.keys()].filter((dataType) => answered.has(dataType))
  return [...new Set([...currentFields, ...known, ...answered])].filter((dataType) => !hiddenEverywhere(dataType))
}
