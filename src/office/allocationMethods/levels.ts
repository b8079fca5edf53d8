/** The levels of factors: into which part of a factor a participant falls (docs/randomisation.md, "Factors"). */
import type { FactorFields } from '#db/tables/randomisation'
import { reasonTest } from '#design/dataTypes/missingReasons'
import type { FieldSettings, Format } from '#design/dataTypes/model'
import type { Id } from '#kernel/id'

const numeric: readonly Format[] = ['integer', 'float', 'slider', 'rating', 'measurements', 'calculation']

export const isNumeric = ({ format }: Pick<FieldSettings, 'format'>): boolean => numeric.includes(format)

/** The names of the intervals between cut points, which are in ascending order. */
export const intervalsOf = (cutPoints: readonly number[]): string[] => [
  `< ${cutPoints[0]}`,
  ...cutPoints.slice(1).map((end, index) => `${cutPoints[index]} to < ${end}`),
  `>= ${cutPoints.at(-1)}`,
]

/**
 * The level of an answer; undefined if it has none, as a blank, or an option that says why there is no answer.
 * @param value of a choice of one option, or of a number
 */
export function levelOfAnswer(
  { cutPoints }: FactorFields,
  settings: Pick<FieldSettings, 'options'>,
  value: unknown,
): string | undefined {
  if (typeof value === 'number' && cutPoints) {
    return intervalsOf(cutPoints)[cutPoints.filter((point) => point <= value).length]
  }
  if (reasonTest(settings)(value)) return undefined
  return Array.isArray(value) && typeof value[0] === 'string' && value.length === 1 ? value[0] : undefined
}

/** The only one of the places that counts for a factor; undefined if there is none, or more than one. */
export const onlyPlace = (places: readonly Id[], among?: readonly Id[]): Id | undefined => {
  const own = among ? places.filter((place) => among.includes(place)) : places
  return own.length === 1 ? own[0] : undefined
}

/** All levels of an answer. */
export const levelsOfAnswer = ({ cutPoints }: FactorFields, settings: FieldSettings): string[] =>
  cutPoints
    ? intervalsOf(cutPoints)
    : (settings.options ?? []).flatMap(({ label, missing }) => (missing ? [] : [label]))

/** A level with the names that an uploaded list may have for it, the one that people read first. */
export type NamedLevel = { level: string; names: readonly string[] }
