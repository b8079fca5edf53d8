/**
 * Finds the questions of the library in a study. A stage does not say what it was made from, so a question counts only if its code, format and
 * everything that gives its answers their meaning are still those of the library.
 */
import type { Configuration } from '#design/configuration/configuration'
import { renameCodes } from '#design/dataTypes/expressions'
import type { DataTypeRow } from '#design/dataTypes/store'
import type { Questionnaire } from '#design/questionnaires/model'
import type { Id } from '#kernel/id'
import { canonicalJson } from '#kernel/json'

export type Library = ReadonlyMap<string, Questionnaire>
type LibraryField = Questionnaire['dataTypes'][number]

/** A question of the study that is one of the library. `code` is its code in the library. */
export type LibraryMatch = { questionnaire: Questionnaire; code: string }

/** Why a question whose code is one of the library is not recognised. */
export type MatchProblem = 'changed' | 'twice'

const NUMBER = /_\d+$/

/** The questions of the library by code. */
export const fieldsByCode = (
  library: Library,
): ReadonlyMap<string, { questionnaire: Questionnaire; field: LibraryField }> =>
  new Map(
    [...library.values()].flatMap((questionnaire) =>
      questionnaire.dataTypes.map((field) => [field.code, { questionnaire, field }] as const),
    ),
  )

/** What gives the answers to a question their meaning. */
function meaningOf(field: Partial<DataTypeRow> | LibraryField, rename?: ReadonlyMap<string, string>): string {
  const { format, unit, multiple, options, statements, scale, columns, expression, decimals } = field
  const calculated = format === 'calculation' && expression ? renameCodes(expression, rename ?? new Map()) : undefined
  return canonicalJson({
    format,
    unit: unit ?? null,
    multiple: multiple ?? false,
    options: (options ?? []).map(({ label, code }) => [label, code ?? null]),
    statements: (statements ?? []).map(({ key, label }) => [key, label]),
    scale: (scale ?? []).map(({ value, label }) => [value, label ?? null]),
    columns: (columns ?? []).map((column) => [
      column.id,
      column.format,
      column.multiple ?? false,
      (column.options ?? []).map(({ label }) => label),
    ]),
    expression: calculated ?? null,
    decimals: format === 'calculation' ? (decimals ?? null) : null,
  })
}

/**
 * The questions of a stage that are those of the library, and those that only have its code. All questions of the stage count for what is
 * there twice, and for what is computed from what; the caller leaves out what is hidden from the reader.
 */
export function libraryMatches(
  { dataTypes }: Configuration,
  fields: readonly Id[],
  known: ReturnType<typeof fieldsByCode>,
): { recognised: ReadonlyMap<Id, LibraryMatch>; refused: ReadonlyMap<Id, MatchProblem> } {
  const recognised = new Map<Id, LibraryMatch>()
  const refused = new Map<Id, MatchProblem>()
  const own = fields.flatMap((_id) => {
    const row = dataTypes.get(_id)
    const code = row?.code.toLowerCase() ?? ''
    const base = known.has(code) ? code : code.replace(NUMBER, '')
    const found = known.get(base)
    return row && found ? [{ _id, row, base, ...found }] : []
  })
  const byBase = Map.groupBy(own, ({ base }) => base)
  const renamed = new Map(own.map(({ base, row }) => [base, row.code]))
  for (const { _id, row, base, field, questionnaire } of own) {
    const isSame = meaningOf(row) === meaningOf(field, renamed)
    if (!isSame) refused.set(_id, 'changed')
    else if ((byBase.get(base)?.length ?? 0) > 1) refused.set(_id, 'twice')
    else recognised.set(_id, { questionnaire, code: base })
  }
  return { recognised, refused }
}
