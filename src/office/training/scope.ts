import { rowById } from '#db/rows'
import { trainings } from '#db/tables/index'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import { atSite, type SiteScope } from '#office/siteRecords/place'
import { lastTrainingsAt, type TrainingRow } from './store'
import { type TrainingView, todayOf, trainingView } from './views'

/** The entry of a training log that `:trainingId` names, if its site is visible to the caller; else 404. */
export const training: Scope<SiteScope & { training: TrainingView; row: TrainingRow }, 'trainingId'> = (context) => {
  const row = found(rowById(context.db, trainings, context.params.trainingId), 'training')
  const ofSite = atSite(context, row, 'training')
  const today = todayOf(ofSite.trial, context.now)
  return { ...ofSite, row, training: trainingView(row, lastTrainingsAt(context.db, row.site), today) }
}
