/** What every format of an export starts from: the trial as it is configured, whom it is for, and what they see. */

import type { Places } from '#access/caller'
import { unpacked } from '#access/packed'
import type { Db } from '#db/open'
import { type Configuration, configuration } from '#design/configuration/configuration'
import type { Hidden } from '#design/configuration/hidden'
import type { StageRow } from '#design/stages/store'
import { trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import { hiddenEverywhere, type SightAt, sightAt } from './sight'
import { heldBy } from './store'
import { type ExportTask, reachesOf } from './task'

export type Exporting = {
  db: Db
  trial: Id
  configuration: Configuration
  /** In order. */
  stages: readonly StageRow[]
  reaches: readonly Places[]
  sight: SightAt
  hiddenEverywhere: Hidden
}

/**
 * Reads what an export needs to know. Call it within the transaction that the whole export is read in.
 * @param as the configuration to export by, where it is not the trial's own
 */
export function exporting(db: Db, task: Omit<ExportTask, 'format' | 'file'>, as?: Configuration): Exporting {
  const trial = found(trialById(db, task.trial), 'trial')
  const config = as ?? configuration(db, trial)
  const access = unpacked(task.access)
  return {
    db,
    trial: trial._id,
    configuration: config,
    stages: task.stage === null ? config.stageOrder : [found(config.stages.get(task.stage), 'stage')],
    reaches: reachesOf(access, task.needs),
    sight: sightAt(config, access),
    hiddenEverywhere: hiddenEverywhere(config, access),
  }
}

/** The data types of a stage that the reader may see: those it asks for, then those it once asked for. */
export function fieldsSeen({ db, configuration, hiddenEverywhere }: Exporting, stage: Id): Id[] {
  const asked = configuration.fieldsOf(stage)
  const held = new Set(heldBy(db, stage))
  const known = [...configuration.dataTypes.keys()].filter((dataType) => held.has(dataType))
  return [...new Set([...asked, ...known, ...held])].filter((dataType) => !hiddenEverywhere(dataType))
}
