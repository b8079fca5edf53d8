/** What wearables measured as tables: one row for each record, of glucose one for each reading. */
import { type Dataset, fieldsOf, type HardwareRow, type Reading } from '#conduct/wearables/providers/records'
import { recordsOf } from '#conduct/wearables/store'
import type { Db } from '#db/open'
import { inReadTransaction } from '#db/readTransaction'
import type { ExportContext } from '#exchange/exports/context'
import { type KeptParticipant, keptAfter } from '#exchange/exports/store'
import { type Cell, momentText, type Sheet } from '#writers/cell'
import type { Count } from './tables'

const READING = ['at', 'utcOffset', 'mgPerDl', 'mmolPerL', 'status', 'trend', 'rate'] as const
const identity = [
  'participantId',
  'siteIds',
  'groups',
  'service',
  'date',
  'source',
  'createdAt',
  'updatedAt',
  'corrections',
]

const PARTICIPANTS = 200
const RECORDS = 1000

type OwnedRecord = { owner: KeptParticipant; row: HardwareRow }

/** The records of the kept participants, in the order of participants and days. Each page is read by itself, in a short transaction. */
export function* hardwareRecords({ db }: { db: Db }, dataset: Dataset): Generator<OwnedRecord> {
  let owners = inReadTransaction(db, () => keptAfter(db, '', PARTICIPANTS))
  for (; owners.length; owners = inReadTransaction(db, () => keptAfter(db, owners.at(-1)!.participant, PARTICIPANTS))) {
    for (const owner of owners) {
      let after: { dataset: string; day: string; _id: string } | undefined
      for (;;) {
        const rows = inReadTransaction(db, () => recordsOf(db, owner.participant, { dataset, limit: RECORDS, after }))
        for (const row of rows) yield { owner, row }
        const last = rows.at(-1)
        if (rows.length < RECORDS || !last) break
        after = { dataset, day: last.day, _id: last._id }
      }
    }
  }
}

const cell = (value: unknown): Cell =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null

/** @param count counts the records */
function* rows(from: ExportContext, dataset: Dataset, count: Count): Generator<Cell[]> {
  const names = (ids: string | null) =>
    ids === null
      ? null
      : ids
          .split(',')
          .map((id) => from.placeNames.get(id) ?? id)
          .join('; ')
  for (const { owner, row } of hardwareRecords(from, dataset)) {
    count.rows++
    const first: Cell[] = [
      ...[owner.participantId, names(owner.sites), names(owner.groups), row.service, row.day, row.source],
      ...[momentText(row.createdAt), momentText(row.updatedAt), row.replaced.length],
    ]
    if (dataset !== 'egv') yield [...first, ...fieldsOf[dataset].map((field) => cell(row.measured[field]))]
    else for (const each of readingsOf(row)) yield [...first, ...READING.map((field) => cell(each[field]))]
  }
}

const readingsOf = ({ measured: { readings } }: HardwareRow): Reading[] =>
  Array.isArray(readings) ? (readings as Reading[]) : []

/** The table of a dataset. The participants must be kept (`exportContextOf`). */
export const hardwareTable = (from: ExportContext, dataset: Dataset, count: Count): Sheet => ({
  name: dataset,
  columns: [...identity, ...(dataset === 'egv' ? READING : fieldsOf[dataset])].map((header) => ({ header })),
  rows: rows(from, dataset, count),
})
