/** Imports a file of translations: all rows or none (docs/translations.md). */
import type { Db } from '#db/open'
import { updateById } from '#db/rows'
import { participantResources, trials } from '#db/tables/index'
import type { DataTypeRow } from '#design/dataTypes/store'
import { updateDataType } from '#design/dataTypes/store'
import { type StageRow, updateStage } from '#design/stages/store'
import { setTranslation, textsOf, translationAt } from '#design/translations/rules'
import { isStale, pathText, sourceHash, sourceKey, sourcesAfter } from '#design/translations/sources'
import type { Trial } from '#design/trials/store'
import type { NumberedRow } from '#documents/numberedRow'
import { isSame } from '#kernel/json'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import { textProblem } from '#kernel/text'
import { boundsProblem } from './bounds'
import { headerOf } from './table'
import { type OwnedText, type Owner, textsIn } from './texts'

/** The most problems that a refusal names. */
const MOST_PROBLEMS = 100

/** A translation of a file. */
export type FileRow = { line: number; key: string; source: string; translation: string }

/** The rows of a table that have a translation. @throws 422 for a table without the columns, or with another language */
export function fileRows(headers: readonly string[], rows: readonly NumberedRow[], language: string): FileRow[] {
  const place = (header: string) => headers.findIndex((each) => each.toLowerCase() === header.toLowerCase())
  const [key, source, translation] = ['key', 'source', headerOf(language)].map(place) as [number, number, number]
  if (key < 0 || source < 0 || translation < 0) {
    const lacking = ['key', 'source', headerOf(language)].filter((header) => place(header) < 0)
    throw invalid([inLine(1, reason('columnsMissing', { columns: lacking.map((name) => reason('quoted', { name })) }))])
  }
  // Of a text with a comma that is not quoted, a part would be lost.
  const wide = rows.filter(({ cells }) => cells.length > headers.length)
  if (wide.length) throw invalid(wide.slice(0, MOST_PROBLEMS).map(wideProblem(headers.length)))
  return rows.flatMap(({ line, cells }) => {
    const cell = (at: number) => cells[at] ?? ''
    return cell(translation).trim()
      ? [{ line, key: cell(key).trim(), source: cell(source), translation: cell(translation) }]
      : []
  })
}

const wideProblem =
  (columns: number) =>
  ({ line, cells }: NumberedRow) =>
    inLine(line, reason('moreCellsThanColumns', { cells: cells.length, columns }))

const inLine = (line: number, problem: Reason): Reason => reason('inLine', { line, problem })

const invalid = (problems: Reason[]) => refuse.invalid({ content: problems })

const plain = (text: string) => text.replaceAll('\r\n', '\n').trim()

type FoundText = { row: FileRow; text: OwnedText }

/** The texts that the rows translate. @throws 422 with the line of each problem */
function foundTexts(db: Db, trial: Trial, rows: readonly FileRow[]): FoundText[] {
  const texts = new Map([...textsIn(db, trial)].map((text) => [text.key, text]))
  const seen = new Map<string, number>()
  const problems: Reason[] = []
  const found: FoundText[] = []
  for (const row of rows) {
    const text = texts.get(row.key)
    const problem = problemOf(row, text, seen.get(row.key))
    if (problem === undefined && text) found.push({ row, text })
    else if (problem && problems.length < MOST_PROBLEMS) problems.push(inLine(row.line, problem))
    if (!seen.has(row.key)) seen.set(row.key, row.line)
  }
  if (problems.length) throw invalid(problems)
  return found
}

function problemOf({ key, translation }: FileRow, text: OwnedText | undefined, earlier: number | undefined) {
  if (!text) return reason('textKeyGone', { key: key.slice(0, 200) })
  if (earlier !== undefined) return reason('keyInOtherLine', { key: key.slice(0, 200), line: earlier })
  return textProblem(translation) ?? boundsProblem(text.owner, text.place, translation)
}

export type ImportCounts = { changed: number; unchanged: number; stale: number }

/** What an import changes, by key: the translation before and after. */
export type Changes = Record<string, [before: string | null, after: string]>

/**
 * Sets the translations of the rows, and what each was made of: the source text as the file has it. So a text that has changed
 * since the file was written is stale.
 */
export function importRows(db: Db, trial: Trial, language: string, rows: readonly FileRow[]) {
  const changes: Changes = {}
  const counts: ImportCounts = { changed: 0, unchanged: 0, stale: 0 }
  const byOwner = Map.groupBy(foundTexts(db, trial, rows), ({ text }) => text.owner)
  for (const [owner, found] of byOwner) {
    const sent = new Map(found.map(({ row, text }) => [pathText(text.place.path), row]))
    // All requests share the rows of a configuration.
    const after = structuredClone(owner.row)
    const made: Record<string, string> = {}
    for (const place of [...textsOf(after, owner.kind)]) {
      const row = sent.get(pathText(place.path))
      if (!row) continue
      const before = translationAt(place, language)
      if (before === row.translation) counts.unchanged += 1
      else {
        counts.changed += 1
        changes[row.key] = [before ?? null, row.translation]
        setTranslation(place, language, row.translation)
      }
      const isSame = plain(row.source) === plain(place.source)
      made[sourceKey(language, place)] = sourceHash(isSame ? place.source : row.source)
      if (isStale(made, language, place)) counts.stale += 1
    }
    const sources = { ...sourcesAfter(after, owner.kind, owner.row, owner.translatedFrom), ...made }
    // A configuration that is saved gets a new revision, and timelines are computed again.
    if (!isSame([after, sources], [owner.row, owner.translatedFrom])) save(db, trial, owner, after, sources)
  }
  return { counts, changes }
}

/** Saves what has texts with its translations. */
function save(db: Db, trial: Trial, { noun, _id }: Owner, after: object, translatedFrom: Record<string, string>): void {
  const { translations } = after as { translations?: Record<string, Record<string, string>> }
  if (noun === 'stages') updateStage(db, { ...(after as StageRow), translatedFrom })
  else if (noun === 'dataTypes') updateDataType(db, { ...(after as DataTypeRow), translatedFrom })
  else if (noun === 'resources') updateById(db, participantResources, _id, { translations, translatedFrom })
  else updateById(db, trials, _id, { settings: { ...trial.settings, translations, translatedFrom } })
}
