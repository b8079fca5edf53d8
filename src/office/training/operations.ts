/** The training log of a site. Neither lock refuses it: people are trained until the study ends. */
import type { Db } from '#db/open'
import { updateById } from '#db/rows'
import { trainings } from '#db/tables/index'
import { site } from '#design/sites/scope'
import { operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { PAGE, PageOrCsv } from '#office/siteRecords/page'
import { READ, requireSiteMember } from '#office/siteRecords/place'
import { hourLinkMaker } from '#storage/links'
import { usableFile } from '#storage/store'
import { byQuery } from '#wire/schema'
import { csvText } from '#writers/csv'
import { NewTraining, Training, TrainingChange, TrainingCsv, Trainings } from './model'
import { training } from './scope'
import { insertTraining, lastTrainingsAt, trainingsOf } from './store'
import { listedTraining, todayOf, trainingSheet, trainingView } from './views'

const WRITE = 'trial.writeSites'

type TrainingDates = { trainedOn: string; expiresOn: string | null; certificate: string | null }

/** Refuses (400) training in the future, training that expired before it began, and a certificate that was not uploaded for the site. */
function requireValidDates(
  db: Db,
  site: Id,
  { trainedOn, expiresOn, certificate }: TrainingDates,
  today: string,
): void {
  if (trainedOn > today) throw refuse.bad('trainingInFuture')
  if (expiresOn !== null && expiresOn < trainedOn) throw refuse.bad('expiresBeforeTraining')
  if (certificate === null || usableFile(db, certificate, 'site', site)) return
  throw refuse.bad('certificateNotUploaded')
}

const listTrainings = operation({
  id: 'listTrainings',
  method: 'GET',
  path: '/sites/:siteId/trainings',
  summary: 'Read the training log of a site',
  description: 'Oldest first. `format=csv` has every entry, and is an export.',
  scope: site,
  needs: READ,
  logs: ({ format }) => (format === 'csv' ? 'exportTrainings' : undefined),
  query: PageOrCsv(),
  returns: byQuery('format', Trainings, { csv: TrainingCsv }),
  run: (context) => {
    const { db, now, services, trial, site, record, query } = context
    const { format, page = 1, perPage = PAGE } = query
    const today = todayOf(trial, now)
    if (format === 'csv') {
      record({ event: { format } })
      return { csv: csvText(trainingSheet(db, site._id, today)) }
    }
    const rows = trainingsOf(db, site._id, perPage + 1, (page - 1) * perPage)
    const [link, last] = [hourLinkMaker(services, now), lastTrainingsAt(db, site._id)]
    const shown = rows.slice(0, perPage).map((row) => listedTraining(db, row, last, today, link))
    return { trainings: shown, page, nextPageAvailable: rows.length > perPage }
  },
})

const createTraining = operation({
  id: 'createTraining',
  method: 'POST',
  path: '/sites/:siteId/trainings',
  summary: 'Record training of a person of a site',
  scope: site,
  needs: WRITE,
  of: 'training',
  logs: 'createTraining',
  body: NewTraining,
  returns: Training,
  run: (context) => {
    const { db, now, id, caller, trial, site, body } = context
    const { user, training, provider = null, trainedOn, expiresOn = null, certificate = null } = body
    const today = todayOf(trial, now)
    requireValidDates(db, site._id, { trainedOn, expiresOn, certificate }, today)
    const { name: userName } = requireSiteMember(db, { trial: trial._id, site: site._id }, user)
    const creation = { _id: id(), createdAt: now, createdBy: caller.user._id, updatedAt: now, trial: trial._id }
    const about = { site: site._id, user, userName, training, provider, trainedOn, expiresOn, certificate }
    return trainingView(insertTraining(db, { ...creation, ...about }), lastTrainingsAt(db, site._id), today)
  },
})

const editTraining = operation({
  id: 'updateTraining',
  method: 'PUT',
  path: '/trainings/:trainingId',
  summary: 'Correct an entry of a training log, or strike it out',
  description:
    'The audit trail keeps what it said before. Entries are not deleted: one that was made in error is struck out with `struckReason`, and is not changed any more.',
  scope: training,
  needs: WRITE,
  of: 'training',
  logs: 'updateTraining',
  body: TrainingChange,
  returns: Training,
  run: (context) => {
    const { db, now, caller, trial, row, body } = context
    if (row.struckAt !== null) throw refuse.bad('trainingStruckOut')
    const { struckReason, ...change } = body
    const { trainedOn, expiresOn, certificate } = { ...row, ...change }
    const today = todayOf(trial, now)
    const kept = certificate === row.certificate ? null : certificate
    requireValidDates(db, row.site, { trainedOn, expiresOn, certificate: kept }, today)
    const struck = struckReason === undefined ? {} : { struckReason, struckAt: now, struckBy: caller.user._id }
    const after = updateById(db, trainings, row._id, { ...change, ...struck, updatedAt: now })
    return trainingView(after, lastTrainingsAt(db, row.site), today)
  },
})

export const trainingOperations = [listTrainings, createTraining, editTraining] as const
