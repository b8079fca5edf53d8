/** The first columns of every table of responses: the response and its participant. */
import type { Configuration } from '#design/configuration/configuration'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { type Cell, momentText } from '#writers/cell'
import type { Kind, ValueLabel, Variable } from '#writers/dataset'
import type { ColumnForm, Exportable } from './form'

const column = (
  name: string,
  label: string,
  kind: Kind = 'text',
  values?: readonly ValueLabel[],
  measure: Variable['measure'] = kind === 'text' ? 'nominal' : 'scale',
): Variable => ({ name, label, kind, measure, values, decimals: kind === 'number' ? 0 : undefined })

export const number = (name: string, label: string): Variable => column(name, label, 'number')
export const moment = (name: string, label: string): Variable => column(name, label, 'moment')
export const words = (name: string, label: string, values?: readonly ValueLabel[]): Variable =>
  column(name, label, 'text', values)

/** The participant: `participantId`, `siteIds` and `groups`. */
export const ofParticipant: readonly Variable[] = [
  words('participantId', 'Participant ID'),
  words('siteIds', 'Sites of the participant'),
  words('groups', 'Groups of the participant'),
]

/** The response and its participant. */
export const ofResponse: readonly Variable[] = [
  words('responseId', 'Response'),
  ...ofParticipant,
  words('stage', 'Stage'),
  number('stageRecurrence', 'Occurrence of the stage, from 0'),
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
export const yesNo = (name: string, label: string, { cells }: Pick<ColumnForm, 'cells'>): Variable =>
  cells === 'strict'
    ? column(name, label, 'number', NO_YES, 'nominal')
    : words(
        name,
        label,
        NO_YES.map(({ value, label }) => ({ value: value ? 'true' : 'false', label })),
      )

/** What is known of the whole response. */
export const stateOf = (form: Pick<ColumnForm, 'cells'>): readonly Variable[] => [
  moment('createdAt', 'Recorded'),
  moment('updatedAt', 'Last changed'),
  words('status', 'Status', STATUS),
  { ...number('score', 'Score'), decimals: undefined },
  yesNo('partialSubmission', 'Required answers are blank', form),
]

/** Cells of values that are not answers. Text for moments in csv, as an object for each of them is a good part of the time. */
export const cellMakers = ({ cells }: Pick<ColumnForm, 'cells'>) => ({
  moment: (at: Instant): Cell => (cells === 'text' ? momentText(at) : { at }),
  yesNo: (value: boolean): Cell => (cells === 'strict' ? Number(value) : value),
})

/** Returns a function that writes places, `_id`s separated by commas, by their names. */
export function placeTexts(names: ReadonlyMap<Id, string>): (ids: string | null) => string | null {
  const text = memoize((ids: string) =>
    ids
      .split(',')
      .map((id) => names.get(id) ?? id)
      .join('; '),
  )
  return (ids) => (ids === null ? null : text(ids))
}

/** The data types with these `_id`s; of one that was deleted only its `_id` is known. */
export const exportableOf = ({ dataTypes, withInheritedFlags }: Configuration, ids: Iterable<Id>): Exportable[] =>
  Array.from(ids, (_id): Exportable => {
    const known = dataTypes.get(_id)
    return known ? { ...known, ...flagsOf(withInheritedFlags.get(_id)) } : { _id, code: _id }
  })

const flagsOf = (row: { isRestricted: boolean; isPii: boolean } | undefined) =>
  row && { isRestricted: row.isRestricted, isPii: row.isPii }

/** The same function with a cache of its results by argument. */
export function memoize<K, V>(make: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>()
  return (key) => {
    let value = results.get(key)
    if (value === undefined) results.set(key, (value = make(key)))
    return value
  }
}
