import type { Db } from '#db/open'
import { deleteById, insert, rowById, rowsWhere, updateWhere } from '#db/rows'
import { dataTypes } from '#db/tables/index'
import type { TranslationSources } from '#design/translations/sources'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { DataTypeInput, DataTypeSettings } from './model'

/** A data type, with the settings of its format next to its other fields; settings that are not set are absent. */
export type DataTypeRow = {
  _id: Id
  createdAt: Instant
  trial: Id
  name: string
  code: string
  description: string | null
  annotation?: string | null
  format: DataTypeInput['format']
  unit: string | null
  isRestricted: boolean
  isPii: boolean
  translations?: DataTypeInput['translations']
  /** The texts from which its translations were made. */
  translatedFrom?: TranslationSources
} & DataTypeSettings

const toRow = ({ settings, ...columns }: typeof dataTypes.$inferSelect): DataTypeRow =>
  ({ ...settings, ...columns }) as DataTypeRow

function toColumns(dataType: DataTypeRow): typeof dataTypes.$inferInsert {
  const { _id, createdAt, trial, name, code, description, format, unit, isRestricted, isPii, ...settings } = dataType
  return { _id, createdAt, trial, name, code, description, format, unit, isRestricted, isPii, settings }
}

/** The data types of all trials that have a pattern, each with the code of its trial. Slow: reads all data types. */
export function* dataTypesWithPattern(db: Db): Generator<DataTypeRow & { trialCode: string }> {
  const found = db.$client
    .query<{ _id: Id; trialCode: string }, []>(
      `SELECT dataTypes._id, trials.code AS trialCode FROM dataTypes JOIN trials ON trials._id = dataTypes.trial
       WHERE dataTypes.settings LIKE '%"pattern"%' ORDER BY dataTypes._id`,
    )
    .all()
  for (const { _id, trialCode } of found) yield { ...dataTypeById(db, _id)!, trialCode }
}

/** The data types of a trial, oldest first. Frequent readers use the cached `configuration` instead. */
export const dataTypesOf = (db: Db, trial: Id): DataTypeRow[] => rowsWhere(db, dataTypes, { trial }, '_id').map(toRow)

export const dataTypeById = (db: Db, _id: Id): DataTypeRow | undefined => {
  const row = rowById(db, dataTypes, _id)
  return row && toRow(row)
}

export const insertDataType = (db: Db, dataType: DataTypeRow) => insert(db, dataTypes, toColumns(dataType))

export const updateDataType = (db: Db, dataType: DataTypeRow) =>
  updateWhere(db, dataTypes, { _id: dataType._id }, toColumns(dataType))

export const deleteDataType = (db: Db, _id: Id) => deleteById(db, dataTypes, _id)

/** Whether another data type of the trial has this code, ignoring case. @param except the `_id` that does not count */
export const isCodeTaken = (db: Db, trial: Id, code: string, except: Id | null = null): boolean =>
  rowsWhere(db, dataTypes, { trial, code }).some(({ _id }) => _id !== except)

type Place = { stage: Id; layout: string; path: string }

/** The layouts of a trial's responses that contain a data type, with its path in them. */
const placesOf = (db: Db, { _id, trial }: DataTypeRow) =>
  db.$client
    .query<Place, [{ trial: Id; _id: Id }]>(
      `SELECT layouts.stage, layouts._id AS layout, field.fullkey AS path
       FROM layouts JOIN stages ON stages._id = layouts.stage, json_each(layouts.dataTypes) AS field
       WHERE stages.trial = +$trial AND field.value = +$_id`,
    )
    .all({ trial, _id })

/** All answers to a data type that are not blank, one at a time. Slow: reads all responses of the stages that use it. */
export function* answersTo(db: Db, dataType: DataTypeRow): Generator<unknown> {
  const read = db.$client.query<{ value: string }, [Place]>(
    `SELECT value FROM (SELECT "values" -> $path AS value FROM responses WHERE stage = +$stage AND layout = +$layout)
     WHERE value <> 'null'`,
  )
  for (const place of placesOf(db, dataType)) {
    for (const { value } of read.iterate(place)) yield JSON.parse(value)
  }
}
