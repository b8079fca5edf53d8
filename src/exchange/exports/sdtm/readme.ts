/** What the README and the codebook of an export in the shape of SDTM say (pure). */
import type { DatasetFile } from '#exchange/exports/packages/formats'
import { fileOf, tableLabel } from './define'
import type { DefinedList } from './defineLists'
import type { StudyData } from './read'
import { exportedVariables, type SdtmTable } from './tables'

export const howTo: readonly string[] = [
  'This is a starting point in the shape of SDTM (SDTMIG 3.4), not a submission. The page “SDTM” of the manual says what is mapped from what,',
  'and how to go on. Nothing was guessed: what is not certain is left out, and listed at the end.',
  'The .xpt files are SAS transport files of version 5, in UTF-8: haven::read_xpt("dm.xpt") in R, pandas.read_sas("dm.xpt", encoding="utf-8") in Python.',
  'The folder csv has the same records, each text as it is: open them with a program for data, not by a double click.',
  'define.xml (Define-XML 2.1) describes every variable; codebook.html shows the same in any browser.',
]

const armsText = ({ count, shown, isBlinded }: StudyData['arms']): string => {
  if (count === 0) return 'The study has no randomisation: ARM and ARMCD are blank. RFSTDTC is the day of registration.'
  const start =
    'RFSTDTC is the day of the first allocation. ACTARM and ACTARMCD are blank: the treatment that was taken is not recorded.'
  if (count > 1)
    return `The study has several randomisations: which arm is ARM is not certain, and it is blank. ${start}`
  if (isBlinded) return `The arms are blinded for this reader: ARM is blank, and ARMNRS says so. ${start}`
  return `ARM is the arm of the allocation, of ${shown.length}. ${start}`
}

/** The last part of the README. */
export function notesOf({ arms, leftOut }: Pick<StudyData, 'arms' | 'leftOut'>): string[] {
  const lines = leftOut.map(
    ({ stage, question, why, count }) =>
      `${stage}: ${question}: ${count} ${count === 1 ? 'answer' : 'answers'}. ${why}`,
  )
  return [
    '',
    'WHAT IS MAPPED',
    '',
    armsText(arms),
    'What has more than 200 bytes goes on in SUPP--, in QNAMs with numbers. Spaces at the end of a text are lost in .xpt files.',
    'A visit is an occurrence of a stage of the schedule; VISITNUM counts them through. Stages without a schedule have none.',
    'Dates and times with a time zone are in the zone of the study. EPOCH, TA, TE, TV, TS and RELREC are not made.',
    'Responses without a participant, wearables, food diaries and scores of stages are not in it.',
    '',
    'NOT MAPPED',
    '',
    ...(lines.length ? lines : ['Every answer is mapped.']),
  ]
}

/** The tables as the page of the codebook shows them. */
export const codebookOf = (tables: readonly SdtmTable[], lists: ReadonlyMap<string, DefinedList>): DatasetFile[] =>
  tables.map((table) => {
    const variables = exportedVariables(table).map(({ variable: { name, label, isText, list } }) => ({
      ...{ name, label },
      kind: isText ? ('text' as const) : ('number' as const),
      measure: isText ? ('nominal' as const) : ('scale' as const),
      values: lists.get(list ?? '')?.terms.map(({ value, decode = value }) => ({ value, label: decode })),
    }))
    const names = variables.map(({ name }) => name)
    return {
      dataset: { name: table.name, label: `${table.name}: ${tableLabel(table)}`, variables, rows: [] },
      file: fileOf(table),
      result: { rows: table.count(), names, notes: [] },
    }
  })
