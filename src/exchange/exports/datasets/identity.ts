/** The first columns of every table of responses: the response and its participant. */
import type { Configuration } from '#design/configuration/configuration'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { type Cell, momentText } from '#writers/cell'
import type { Kind, ValueLabel, Variable } from '#writers/dataset'
import type { ColumnForm, ExportField } from './form'

const variable = (
  name: string,
  label: string,
  kind: Kind = 'text',
  values?: readonly ValueLabel[],
  measure: Variable['measure'] = kind === 'text' ? 'nominal' : 'scale',
): Variable => ({ name, label, kind, measure, values, decimals: kind === 'number' ? 0 : undefined })

export const numberVariable = (name: string, label: string): Variable => variable(name, label, 'number')
export const momentVariable = (name: string, label: string): Variable => variable(name, label, 'moment')
export const textVariable = (name: string, label: string, values?: readonly ValueLabel[]): Variable =>
  variable(name, label, 'text', values)

/** The participant: `participantId`, `siteIds` and `groups`. */
export const participantVariables: readonly Variable[] = [
  textVariable('participantId', 'Participant ID'),
  textVariable('siteIds', 'Sites of the participant'),
  textVariable('groups', 'Groups of the participant'),
]

/** The response and its participant. */
export const responseVariables: readonly Variable[] = [
  textVariable('responseId', 'Response'),
  ...participantVariables,
  textVariable('stage', 'Stage'),
  numberVariable('stageRecurrence', 'Occurrence of the stage, from 0'),
]

const STATUS: readonly ValueLabel[] = [
  { value: 'successful', label: 'Successful' },
  { value: 'unsuccessful', label: 'Unsuccessful' },
]
const NO_YES: readonly ValueLabel[] = [
  { value: 0, label: 'No' },
  { value: 1, label: 'Yes' },
]

/** A column of yes and no: 1 and 0 where cells are strict, else TRUE and FALSE. */
export const yesNoVariable = (name: string, label: string, { cells }: Pick<ColumnForm, 'cells'>): Variable =>
  cells === 'strict'
    ? variable(name, label, 'number', NO_YES, 'nominal')
    : textVariable(
        name,
        label,
        NO_YES.map(({ value, label }) => ({ value: value ? 'true' : 'false', label })),
      )

/** What is known of the whole response. */
export const stateVariables = (form: Pick<ColumnForm, 'cells'>): readonly Variable[] => [
  momentVariable('createdAt', 'Recorded'),
  momentVariable('updatedAt', 'Last changed'),
  textVariable('status', 'Status', STATUS),
  { ...numberVariable('score', 'Score'), decimals: undefined },
  yesNoVariable('partialSubmission', 'Required answers are blank', form),
]

/** Cells of values that are not answers. Text for moments in csv, as an object for each of them is a good part of the time. */
export const cellMakers = ({ cells }: Pick<ColumnForm, 'cells'>) => ({
  moment: (at: Instant): Cell => (cells === 'text' ? momentText(at) : { at }),
  yesNo: (value: boolean): Cell => (cells === 'strict' ? Number(value) : value),
})

/** Returns a function that writes places, `_id`s separated by commas, by their names. */
export function placeTexts(names: ReadonlyMap<Id, string>): (ids: string | null) => string | null {
  const text = oncePerKey((ids: string) =>
    ids
      .split(',')
      .map((id) => names.get(id) ?? id)
      .join('; '),
  )
  return (ids) => (ids === null ? null : text(ids))
}

/** The data types with these `_id`s; of one that was deleted only its `_id` is known. */
export const exportFieldsOf = ({ dataTypes, withInheritedFlags }: Configuration, ids: Iterable<Id>): ExportField[] =>
  Array.from(ids, (_id): ExportField => {
    const known = dataTypes.get(_id)
    return known ? { ...known, ...flagsOf(withInheritedFlags.get(_id)) } : { _id, code: _id }
  })

const flagsOf = (row: { isRestricted: boolean; isPii: boolean } | undefined) =>
  row && { isRestricted: row.isRestricted, isPii: row.isPii }

/** The same function with a cache of its results by argument. */
export function oncePerKey<K, V>(make: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>()
  return (key) => {
    let value = results.get(key)
    if (value === undefined) results.set(key, (value = make(key)))
    return value
  }
}
