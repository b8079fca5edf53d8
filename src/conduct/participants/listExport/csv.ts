/** The participants' list as CSV. */
import { isInScope, type VisibleScope } from '#access/caller'
import type { Search } from '#conduct/participants/searchStore'
import { personalFields } from '#conduct/participants/store'
import type { Db } from '#db/open'
import type { Cell, Sheet } from '#writers/cell'
import { csvChunks } from '#writers/csv'
import { type ListedRow, listedRows } from './csvStore'

const COLUMNS = [
  'participantId',
  '_id',
  'createdAt',
  'lastSeenAt',
  'sites',
  'groups',
  'isUnallocated',
  'isArchived',
  'isWithdrawn',
  'ratioComplete',
  'stagesBehindSchedule',
  'timezone',
]

type NamedPlaces = [id: string, name: string][]

function cellsOf(row: ListedRow, personal: VisibleScope | undefined): Cell[] {
  const sites = JSON.parse(row.sitesHeld as string) as NamedPlaces
  const groups = JSON.parse(row.groupsHeld as string) as NamedPlaces
  const moment = (at: unknown): Cell => (typeof at === 'number' ? { at } : null)
  const places = { sites: sites.map(([id]) => id), groups: groups.map(([id]) => id) }
  const isShown = personal !== undefined && isInScope(personal, places)
  return [
    row.id,
    row._id,
    moment(row.createdAt),
    moment(row.lastSeenAt),
    sites.map(([, name]) => name).join('; '),
    groups.map(([, name]) => name).join('; '),
    row.isUnallocated === 1,
    row.isArchived === 1,
    row.isWithdrawn === 1,
    row.ratioComplete,
    row.stagesBehindSchedule,
    row.timezone,
    ...(personal ? personalFields.map((field) => (isShown ? row[field] : null)) : []),
  ] as Cell[]
}

/**
 * The participants' list as a table. Rows are read one by one while they are written, from one state if `db` is in a
 * transaction.
 */
export function participantSheet(db: Db, search: Search, personal: VisibleScope | undefined): Sheet {
  const stored = listedRows(db, search)
  const rows = (function* () {
    for (const row of stored) yield cellsOf(row, personal)
  })()
  const columns = [...COLUMNS, ...(personal ? personalFields : [])].map((header) => ({ header }))
  return { name: 'participants', columns, rows }
}

/**
 * The JSON text `{"csv": "…"}` in pieces of about 64 KB.
 * @param personal where the caller may see personal information; undefined for nowhere, and its columns are left out
 * @param rows counts the rows
 */
export function* csvResponseChunks(
  db: Db,
  search: Search,
  personal: VisibleScope | undefined,
  rows: { count: number },
): Generator<string> {
  yield '{"csv":"'
  const sheet = participantSheet(db, search, personal)
  for (const chunk of csvChunks(sheet, {}, (count) => (rows.count = count))) yield JSON.stringify(chunk).slice(1, -1)
  yield '"}'
}
