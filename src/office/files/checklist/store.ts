/** Finds the files that are an essential record, by the indexes of a place: a site, or the whole trial. */
import type { Db } from '#db/open'
import { deleteById, insert, rowsFrom } from '#db/rows'
import { recordExemptions } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { FileRow } from '#office/files/store'
import type { EssentialRecord } from './recordType'

/** The most files that are shown of a record. */
export const MOST_FILES = 10

/** What narrows the search: `approved` to files with an approved version, `until` to those whose approved version ends by this day. */
export type RecordLimits = { approved: boolean; until?: string }

/** One SELECT of `_id`s for each way to find a file, the ones that are valid longest first. */
function searchBranches({ types }: EssentialRecord, { approved, until }: RecordLimits): string[] {
  const conditions = [
    ...(approved ? ['f.approvedUntil IS NOT NULL'] : []),
    ...(until === undefined ? [] : ['f.approvedUntil <= +$until']),
  ]
  const rest = `${conditions.map((each) => ` AND ${each}`).join('')} ORDER BY f.approvedUntil DESC LIMIT ${MOST_FILES}`
  const at = 'coalesce(f.site, f.trial) = +$place'
  return [
    ...types.map((type) => `masterFiles f INDEXED BY masterFilesByPlace WHERE ${at} AND f.type = '${type}'${rest}`),
    `json_each($words) w CROSS JOIN masterFiles f INDEXED BY masterFilesByPlaceName WHERE ${at}
      AND f.folded >= w.value AND f.folded < w.value || char(1114111)
      AND substr(f.folded, length(w.value) + 1, 1) NOT GLOB '[a-z0-9]'${rest}`,
    `json_each($tags) w CROSS JOIN masterFileTags t ON t.place = +$place AND t.tag = w.value
      CROSS JOIN masterFiles f ON f._id = t.file WHERE TRUE${rest}`,
  ].map((from) => `SELECT _id FROM (SELECT f._id FROM ${from})`)
}

/** The tags that make a file such a record: the record's id, its sections in ICH E6(R2), and its words. */
const tagsOf = ({ id, sections, words }: EssentialRecord) => [id.toLowerCase(), ...sections, ...words]

/** A file as the checklist shows it. */
export type RecordFile = Pick<FileRow, '_id' | 'name' | 'status' | 'approvedUntil'>

type RecordSearch = { sql: string; words: string; tags: string }
/** The statements, each put together once. */
const searches = new Map<string, RecordSearch>()

function searchOf(record: EssentialRecord, limits: RecordLimits): RecordSearch {
  const key = `${record.id} ${limits.approved} ${limits.until !== undefined}`
  let search = searches.get(key)
  if (!search) {
    const sql = `SELECT _id, name, status, approvedUntil FROM masterFiles
      WHERE _id IN (${searchBranches(record, limits).join(' UNION ')}) ORDER BY approvedUntil DESC, _id LIMIT ${MOST_FILES}`
    search = { sql, words: JSON.stringify(record.words), tags: JSON.stringify(tagsOf(record)) }
    searches.set(key, search)
  }
  return search
}

/** The files of a place that are such a record, the ones that are valid longest first, and those without an approved version last. */
export function filesOfRecord(db: Db, place: Id, record: EssentialRecord, limits: RecordLimits): RecordFile[] {
  const { sql, words, tags } = searchOf(record, limits)
  const { until } = limits
  return db.$client
    .query<RecordFile, [Record<string, string>]>(sql)
    .all({ place, words, tags, ...(until === undefined ? {} : { until }) })
}

export type ExemptionRow = typeof recordExemptions.$inferSelect

const OF_PLACE = 'WHERE trial = +$trial AND coalesce(site, trial) = +$place'

/** The exemptions of a place: a site, or the trial. */
export const exemptionsOf = (db: Db, trial: Id, place: Id): ExemptionRow[] =>
  rowsFrom(db, recordExemptions, `${OF_PLACE} ORDER BY record`, { trial, place })

export const exemptionOf = (db: Db, trial: Id, site: Id | null, record: string): ExemptionRow | undefined =>
  rowsFrom(db, recordExemptions, `${OF_PLACE} AND record = +$record`, { trial, place: site ?? trial, record })[0]

export const insertExemption = (db: Db, row: ExemptionRow): ExemptionRow => insert(db, recordExemptions, row)
export const deleteExemption = (db: Db, _id: Id): void => void deleteById(db, recordExemptions, _id)
