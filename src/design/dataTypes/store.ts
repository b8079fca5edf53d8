import { and, asc, eq, sql } from 'drizzle-orm'
import { type Db, once } from '#db/open'
import { dataTypes } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { DataTypeInput, DataTypeSettings } from './model'

/** A data type with the settings of its format beside its other fields; a setting that is not set is absent. */
export type DataTypeRow = {
  _id: Id
  createdAt: Instant
  trial: Id
  name: string
  code: string
  description: string | null
  format: DataTypeInput['format']
  unit: string | null
  isRestricted: boolean
  isPii: boolean
} & DataTypeSettings

const flat = ({ settings, ...columns }: typeof dataTypes.$inferSelect): DataTypeRow =>
  ({ ...settings, ...columns }) as DataTypeRow

function stored(dataType: DataTypeRow): typeof dataTypes.$inferInsert {
  const { _id, createdAt, trial, name, code, description, format, unit, isRestricted, isPii, ...settings } = dataType
  return { _id, createdAt, trial, name, code, description, format, unit, isRestricted, isPii, settings }
}

const ofTrial = once((db) =>
  db
    .select()
    .from(dataTypes)
    .where(eq(dataTypes.trial, sql.placeholder('trial')))
    .orderBy(asc(dataTypes._id))
    .prepare(),
)

/** The data types of a trial, oldest first. What asks often reads them from its `configuration`. */
export const dataTypesOf = (db: Db, trial: Id): DataTypeRow[] => ofTrial(db).all({ trial }).map(flat)

export const dataTypeById = (db: Db, _id: Id): DataTypeRow | undefined => {
  const row = db.select().from(dataTypes).where(eq(dataTypes._id, _id)).get()
  return row && flat(row)
}

export const insertDataType = (db: Db, dataType: DataTypeRow) => db.insert(dataTypes).values(stored(dataType)).run()

export const updateDataType = (db: Db, dataType: DataTypeRow) =>
  db.update(dataTypes).set(stored(dataType)).where(eq(dataTypes._id, dataType._id)).run()

export const deleteDataType = (db: Db, _id: Id) => db.delete(dataTypes).where(eq(dataTypes._id, _id)).run()

/** Whether another data type of the trial has this code, whatever the case. */
export const isCodeTaken = (db: Db, trial: Id, code: string, except: Id | null = null): boolean =>
  db
    .select({ _id: dataTypes._id })
    .from(dataTypes)
    .where(and(eq(dataTypes.trial, trial), eq(dataTypes.code, code)))
    .all()
    .some(({ _id }) => _id !== except)

/** The layouts of a trial's responses that hold a data type, with its place in them. */
const placesOf = (db: Db, { _id, trial }: DataTypeRow) =>
  db.$client
    .query<{ stage: Id; layout: string; path: string }, [Id, Id]>(
      `SELECT layouts.stage, layouts._id AS layout, field.fullkey AS path
       FROM layouts JOIN stages ON stages._id = layouts.stage, json_each(layouts.dataTypes) AS field
       WHERE stages.trial = ? AND field.value = ?`,
    )
    .all(trial, _id)

/** The answers that responses hold to a data type, one at a time, without the blank ones. Grows with the trial's responses. */
export function* answersTo(db: Db, dataType: DataTypeRow): Generator<unknown> {
  const read = db.$client.query<{ value: string }, [string, Id, string]>(
    `SELECT value FROM (SELECT "values" -> ? AS value FROM responses WHERE stage = ? AND layout = ?) WHERE value <> 'null'`,
  )
  for (const { stage, layout, path } of placesOf(db, dataType)) {
    for (const { value } of read.iterate(path, stage, layout)) yield JSON.parse(value)
  }
}
