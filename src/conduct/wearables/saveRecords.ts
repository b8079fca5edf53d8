/** Stores what wearables measured, without duplicates; a correction keeps what was there (docs/wearables.md, "Corrections"). */

import {
  distinctRecords,
  type HardwareService,
  MOST_READINGS,
  mergeRecord,
  type NewRecord,
  readingsOf,
  type Source,
} from '#conduct/wearables/providers/records'
import type { Db } from '#db/open'
import { type Id, newId } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { changeRecord, insertRecord, recordByKey } from './store'

/** How many records were new, had more readings, were corrected, or were there as they are. */
export type SavedCounts = { added: number; extended: number; corrected: number; unchanged: number }

type Owner = { trial: Id; participant: Id; service: HardwareService; source: Source; now: Instant }

function requireReadingLimit({ day, measured }: Pick<NewRecord, 'day' | 'measured'>): void {
  if (readingsOf(measured).length > MOST_READINGS) throw refuse.bad('tooManyReadings', { day, most: MOST_READINGS })
}

/** Stores records in the transaction of the act that brings them. @throws 400 if a day would have too many readings */
export function saveRecords(db: Db, owner: Owner, records: readonly NewRecord[]): SavedCounts {
  const { trial, participant, service, source, now } = owner
  const kept: SavedCounts = { added: 0, extended: 0, corrected: 0, unchanged: 0 }
  for (const record of distinctRecords(records)) {
    const { dataset, key } = record
    const row = recordByKey(db, { participant, service, dataset, key })
    if (!row) {
      requireReadingLimit(record)
      const creation = { _id: newId(now), createdAt: now, updatedAt: now, trial, participant, service, source }
      insertRecord(db, { ...creation, ...record, replaced: [] })
      kept.added++
      continue
    }
    const change = mergeRecord(row, record, { at: now, source })
    if (!change) {
      kept.unchanged++
      continue
    }
    const { isCorrection, ...values } = change
    requireReadingLimit({ ...record, ...values })
    changeRecord(db, row._id, { ...values, source, updatedAt: now })
    kept[isCorrection ? 'corrected' : 'extended']++
  }
  return kept
}
