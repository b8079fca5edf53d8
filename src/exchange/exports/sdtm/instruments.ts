/** The questionnaires of the library as the domain QS: a code and a name for each question and score. */
import type { Questionnaire } from '#design/questionnaires/model'
import { beginning } from '#writers/names'

/** One question or score of a questionnaire. `key` is the statement of a Likert. */
export type QuestionCode = { test: string; name: string; category: string; question: string; isDerived: boolean }

/** The first characters of the codes of each questionnaire that participants fill in: at most 5. */
const prefixes: Readonly<Record<string, string>> = {
  'audit-c': 'AUDC',
  audit: 'AUDIT',
  cage: 'CAGE',
  'ces-d': 'CESD',
  'esas-r': 'ESASR',
  flourishing: 'FLOUR',
  'gad-2': 'GAD2',
  'gad-7': 'GAD7',
  'gds-15': 'GDS15',
  'hrqol-4': 'HRQOL',
  'ipaq-short': 'IPAQ',
  k10: 'K10',
  k6: 'K6',
  'mmrc-dyspnoea': 'MMRC',
  'mrc-dyspnoea': 'MRC',
  'nrs-pain': 'NRSP',
  'pc-ptsd-5': 'PTSD5',
  'pcl-5': 'PCL5',
  'phq-15': 'PHQ15',
  'phq-2': 'PHQ2',
  'phq-4': 'PHQ4',
  'phq-8': 'PHQ8',
  'phq-9': 'PHQ9',
  'rand-36': 'R36',
  rosenberg: 'RSES',
  spane: 'SPANE',
  swls: 'SWLS',
  'who-5': 'WHO5',
}

/** Codes and names that CDISC published, in the order of the questions; the score is the last. */
const published: Readonly<Record<string, readonly [test: string, name: string][]>> = {
  'phq-9': [
    ['PHQ0101', 'PHQ01-Little Interest/Pleasure in Things'],
    ['PHQ0102', 'PHQ01-Feeling Down Depressed or Hopeless'],
    ['PHQ0103', 'PHQ01-Trouble Falling or Staying Asleep'],
    ['PHQ0104', 'PHQ01-Feeling Tired or Little Energy'],
    ['PHQ0105', 'PHQ01-Poor Appetite or Overeating'],
    ['PHQ0106', 'PHQ01-Feeling Bad About Yourself'],
    ['PHQ0107', 'PHQ01-Trouble Concentrating on Things'],
    ['PHQ0108', 'PHQ01-Moving Slowly or Fidgety/Restless'],
    ['PHQ0109', 'PHQ01-Thoughts You Be Better Off Dead'],
    ['PHQ0110', 'PHQ01-Difficult to Work/Take Care Things'],
    ['PHQ0111', 'PHQ01-Total Score'],
  ],
}

/** Whether the questions of a questionnaire are records of QS. Scales that staff fill in belong to other domains. */
export const isInstrument = ({ id }: Questionnaire): boolean => id in prefixes

/** The questions and scores of a questionnaire by the code of the data type, and of the statement after a colon. */
export function questionCodes(questionnaire: Questionnaire): ReadonlyMap<string, QuestionCode> {
  const { id, abbreviation, dataTypes, stage } = questionnaire
  const prefix = prefixes[id] ?? ''
  const titles = new Map(stage.components.map(({ dataType, title }) => [dataType, title]))
  const codes = new Map<string, QuestionCode>()
  let [questions, scores] = [0, 0]
  const add = (key: string, question: string, isDerived: boolean, name: string) => {
    const number = isDerived ? ++scores : ++questions
    const [test, own] = published[id]?.[codes.size] ?? [
      isDerived ? `${prefix}S${number}` : `${prefix}Q${String(number).padStart(2, '0')}`,
      isDerived ? name : `${abbreviation} Question ${number}`,
    ]
    codes.set(key, { test, name: beginning(own, 40, 'bytes'), category: abbreviation, question, isDerived })
  }
  for (const { code, name, format, statements } of dataTypes) {
    if (format === 'likert') for (const { key, label } of statements ?? []) add(`${code}:${key}`, label, false, label)
    else add(code, titles.get(code) ?? name, format === 'calculation', name)
  }
  return codes
}
