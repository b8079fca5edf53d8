import type { Db } from '#db/open'
import { insert, rowById, rowsWhere, updateById } from '#db/rows'
import { exportDefinitions } from '#db/tables/index'
import type { ExportSettings } from '#exchange/exports/model'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'

type Columns = typeof exportDefinitions.$inferSelect
export type DefinitionRow = Omit<Columns, 'settings'> & { settings: ExportSettings }

/** What is stored was checked when it was saved. */
const toRow = (columns: Columns): DefinitionRow => ({ ...columns, settings: columns.settings as ExportSettings })

/** The saved exports of a trial, oldest first. */
export const definitionsOf = (db: Db, trial: Id): DefinitionRow[] =>
  rowsWhere(db, exportDefinitions, { trial }, '_id').map(toRow)

export function definitionById(db: Db, _id: Id): DefinitionRow | undefined {
  const columns = rowById(db, exportDefinitions, _id)
  return columns && toRow(columns)
}

export const insertDefinition = (db: Db, row: DefinitionRow): DefinitionRow => toRow(insert(db, exportDefinitions, row))

export const updateDefinition = (db: Db, _id: Id, change: Partial<DefinitionRow>): DefinitionRow =>
  toRow(updateById(db, exportDefinitions, _id, change))

const foldName = (name: string): string => name.trim().normalize('NFC').toLowerCase()

/** Refuses (400) a name that another saved export of the trial has, ignoring case. @param except its own `_id` */
export function requireFreeName(db: Db, trial: Id, name: string, except?: Id): void {
  const isTaken = definitionsOf(db, trial).some((row) => row._id !== except && foldName(row.name) === foldName(name))
  if (isTaken) throw refuse.taken('name of a saved export', name)
}
