import type { Db } from '#db/open'
import { dayText } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { attachmentOf } from '#storage/attachments'
import type { LinkMaker } from '#storage/storage'
import { fileByName } from '#storage/store'
import type { Cell, Sheet } from '#writers/cell'
import { stateOf } from './rules'
import { isRenewed, type LastTrainings, lastTrainingsAt, type TrainingRow, trainingsOf } from './store'

/** The current day of a trial. */
export const todayOf = ({ timezone }: { timezone: string | null }, now: Instant): string =>
  dayText(now, timezone ?? 'UTC')

/** An entry as the API shows it, and the audit trail keeps it: without a link to its certificate. @param last of the site of the entry */
export const trainingView = (row: TrainingRow, last: LastTrainings, today: string) => ({
  ...row,
  state: stateOf(row, isRenewed(row, last), today),
})

/** An entry of the list, with its certificate. */
export function listedTraining(db: Db, row: TrainingRow, last: LastTrainings, today: string, link: LinkMaker) {
  const file = row.certificate === null ? undefined : fileByName(db, row.certificate)
  return { ...trainingView(row, last, today), certificateFile: file ? attachmentOf(file, link) : null }
}

export type TrainingView = ReturnType<typeof trainingView>

const COLUMNS = [
  ...['userName', 'user', 'training', 'provider', 'trainedOn', 'expiresOn', 'state', 'certificate'],
  ...['createdAt', 'createdBy', 'updatedAt', 'struckAt', 'struckBy', 'struckReason', '_id'],
]

const moment = (at: Instant | null): Cell => (at === null ? null : { at })

/** The training log of a site as a table. */
export function trainingSheet(db: Db, site: Id, today: string): Sheet {
  const last = lastTrainingsAt(db, site)
  const cellsOf = (row: TrainingRow): Cell[] => {
    const { userName, user, training, provider, trainedOn, expiresOn, certificate, createdBy, struckBy } = row
    const file = certificate === null ? undefined : fileByName(db, certificate)
    const state = stateOf(row, isRenewed(row, last), today)
    return [
      ...[userName, user, training, provider, trainedOn, expiresOn, state, file?.name],
      ...[moment(row.createdAt), createdBy, moment(row.updatedAt), moment(row.struckAt), struckBy, row.struckReason],
      row._id,
    ]
  }
  const columns = COLUMNS.map((header) => ({ header }))
  return { name: 'training log', columns, rows: trainingsOf(db, site).map(cellsOf) }
}
