/** Compares the exports at the end of the study row by row with what was sent. */
import type { Client } from './client'
import type { Study } from './model'
import { SITES } from './plan'
import { type Entry, entryKey, type StageKey, stageTitle } from './record'

export type Row = Record<string, unknown>

/** The content of the exports: the rows of the csv and the points of each questionnaire. `count`: how many exports were made. */
type ExportCounts = { rows: number; phq9: number; gad7: number; count: number }

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => total + each, 0)

/** The responses that an export must hold: all except those of archived participants. @param site only those of one site */
export const exportedEntries = ({ record, members }: Study, site?: number): Entry[] =>
  [...record.entries.values()].filter(
    ({ person }) =>
      members.get(person.participantId)!.state !== 'archived' && (site === undefined || person.site === site),
  )

async function readCsv(client: Client, path: string): Promise<Row[]> {
  const { csv } = await client.get(path)
  return rowsOf(csv)
}

/** The rows of a CSV, by column header. */
export async function rowsOf(csv: string): Promise<Row[]> {
  const { parse } = await import('csv-parse/sync')
  return parse(csv, { columns: true, bom: true }) as Row[]
}

/** The rows of each sheet, in the order of the stages. */
async function readWorkbook(client: Client, path: string): Promise<Row[][]> {
  const { request } = await client.get(path)
  const file = await client.download(request)
  const { read, utils } = await import('xlsx')
  const book = read(file, { type: 'array' })
  return book.SheetNames.map((name) => utils.sheet_to_json<Row>(book.Sheets[name]!))
}

const keyOf = (row: Row) => entryKey(String(row.participantId), String(row.stage), Number(row.stageRecurrence))

/** Checks that the rows hold every response once, with all its answers, and nothing else. */
export function compareRows(
  { checks }: Study,
  what: string,
  rows: readonly Row[],
  entries: readonly Entry[],
  hidden: string[],
) {
  checks.equal(`the rows of ${what}`, rows.length, entries.length)
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  for (const { person, stage, n, response, columns, score, status } of entries) {
    const key = entryKey(person.participantId, stageTitle[stage](n), n)
    const row = byKey.get(key) ?? {}
    const shown = Object.keys(columns).filter((column) => !hidden.includes(column))
    const expectedCells = [
      response,
      SITES[person.site]!.id,
      status ?? '',
      `${score ?? ''}`,
      ...shown.map((column) => `${columns[column]}`),
    ]
    // An answer that is a label may have its code beside it.
    const cellOf = (column: string) => (typeof columns[column] === 'string' && row[`${column}_label`]) || row[column]
    const cells = ['responseId', 'siteIds', 'status', 'score', ...shown].map((column) => `${cellOf(column) ?? ''}`)
    checks.equal(`${key} in ${what}`, cells, expectedCells)
    for (const column of hidden) checks.equal(`${column} in ${what}`, row[column], undefined)
  }
}

/** The total points of a questionnaire in an export. @throws a fault if it differs from what was sent */
function checkTotal({ checks }: Study, what: string, stage: StageKey, rows: readonly Row[], entries: readonly Entry[]) {
  const titles = new Set(entries.filter((entry) => entry.stage === stage).map(({ n }) => stageTitle[stage](n)))
  const total = sum(rows.filter((row) => titles.has(String(row.stage))).map((row) => Number(row.score)))
  const expectedTotal = sum(entries.filter((entry) => entry.stage === stage).map(({ score }) => score!))
  checks.equal(`the ${stage} points of ${what}`, total, expectedTotal)
  return total
}

/** Compares each participant's latest PHQ-9, the outcome of the study. */
function checkLatest({ checks }: Study, what: string, rows: readonly Row[], entries: readonly Entry[]): void {
  const actual = new Map<string, [n: number, score: number]>()
  for (const row of rows) {
    const [id, n] = [String(row.participantId), Number(row.stageRecurrence)]
    if (row.stage === stageTitle.phq9(n) && n >= (actual.get(id)?.[0] ?? 0)) actual.set(id, [n, Number(row.phq9_total)])
  }
  const expected = new Map<string, [n: number, score: number]>()
  for (const { person, stage, n, score } of entries) {
    const id = person.participantId
    if (stage === 'phq9' && n >= (expected.get(id)?.[0] ?? 0)) expected.set(id, [n, score!])
  }
  checks.equal(`how many have a last PHQ-9 in ${what}`, actual.size, expected.size)
  for (const [id, last] of expected) checks.equal(`the last PHQ-9 of ${id} in ${what}`, actual.get(id), last)
}

/** Makes the exports as the owner and as the nurses, and compares them. @throws a fault at the first difference */
export async function checkExports(study: Study): Promise<ExportCounts> {
  const { owner, trial, checks } = study
  const all = exportedEntries(study)
  const path = `/trials/${trial._id}/responses`
  const rows = await readCsv(owner, `${path}?type=csv&columns=expanded&values=both`)
  compareRows(study, 'the csv', rows, all, [])
  checkLatest(study, 'the csv', rows, all)
  const phq9 = checkTotal(study, 'the csv', 'phq9', rows, all)
  const gad7 = checkTotal(study, 'the csv', 'gad7', rows, all)

  const sheets = await readWorkbook(owner, `${path}?type=excel&values=both`)
  const stages: StageKey[] = ['enrolment', 'phq9', 'gad7', 'adverse']
  checks.equal('the sheets of the workbook', sheets.length, stages.length)
  for (const [n, stage] of stages.entries()) {
    const entries = all.filter((entry) => entry.stage === stage)
    compareRows(study, `the sheet of ${stage}`, sheets[n]!, entries, [])
    if (stage === 'phq9' || stage === 'gad7') checkTotal(study, `the sheet of ${stage}`, stage, sheets[n]!, entries)
  }
  checkLatest(study, 'the workbook', sheets[1]!, all)

  for (const [site, nurse] of trial.nurses.entries()) {
    const here = await readCsv(nurse, `${path}?type=csv&columns=expanded&values=both`)
    compareRows(study, `the csv of ${SITES[site]!.id}`, here, exportedEntries(study, site), ['postcode'])
  }
  return { rows: rows.length, phq9, gad7, count: 2 + trial.nurses.length }
}
