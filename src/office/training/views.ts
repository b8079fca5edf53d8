import type { Db } from '#db/open'
import { dayText } from '#kernel/calendar'
import type { Instant } from '#kernel/time'
import { attachmentOf } from '#storage/attachments'
import type { MakeLink } from '#storage/storage'
import { fileByName } from '#storage/store'
import type { Cell, Sheet } from '#writers/cell'
import { stateOf } from './rules'
import { isRenewed, type TrainingRow } from './store'

/** The current day of a trial. */
export const todayOf = ({ timezone }: { timezone: string | null }, now: Instant): string =>
  dayText(now, timezone ?? 'UTC')

/** An entry as the API shows it, and the audit trail keeps it: without a link to its certificate. */
export const trainingView = (db: Db, row: TrainingRow, today: string) => ({
  ...row,
  state: stateOf(row, isRenewed(db, row), today),
})

/** An entry of the list, with its certificate. */
export function listedTraining(db: Db, row: TrainingRow, today: string, link: MakeLink) {
  const file = row.certificate === null ? undefined : fileByName(db, row.certificate)
  return { ...trainingView(db, row, today), certificateFile: file ? attachmentOf(file, link) : null }
}

export type TrainingView = ReturnType<typeof trainingView>

const COLUMNS = [
  ...['userName', 'user', 'training', 'provider', 'trainedOn', 'expiresOn', 'state', 'certificate'],
  ...['createdAt', 'createdBy', 'updatedAt', 'struckAt', 'struckBy', 'struckReason', '_id'],
]

const moment = (at: Instant | null): Cell => (at === null ? null : { at })

/** The training log of a site as a table. */
export const trainingSheet = (db: Db, rows: readonly TrainingRow[], today: string): Sheet => ({
  name: 'training log',
  columns: COLUMNS.map((header) => ({ header })),
  rows: rows.map((row): Cell[] => {
    const { userName, user, training, provider, trainedOn, expiresOn, certificate, createdBy, struckBy } = row
    const file = certificate === null ? undefined : fileByName(db, certificate)
    const state = stateOf(row, isRenewed(db, row), today)
    return [
      ...[userName, user, training, provider, trainedOn, expiresOn, state, file?.name],
      ...[moment(row.createdAt), createdBy, moment(row.updatedAt), moment(row.struckAt), struckBy, row.struckReason],
      row._id,
    ]
  }),
})
