/** All findings in a response: of the built-in rules and of the rules in the trial's instructions. */

import type { OwnedResponse, ResponseRow } from '#conduct/responses/store'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { instructionsFor } from '#design/configuration/queryRules'
import { operandOf } from '#design/dataTypes/answerOperands'
import type { LocalNow } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import { answersIn, numbersIn } from './answers'
import { contradictions } from './contradictions'
import { latestOfParticipant } from './cursorStore'
import { impossibleDates } from './impossibleDates'
import { brokenRules, type KnownAnswer } from './instructions'
import { unusualNumbers } from './numbers'
import { type FieldAnswer, type Finding, firstPerFields } from './rules'
import { comparisonFor } from './sample'
import { brokenSoftRules } from './softRules'

/** The answers of a response by the codes of their fields, and the participant's latest answers on other forms. */
function answersByCode(
  config: Configuration,
  row: ResponseRow,
  here: FieldAnswer[],
  others: FieldAnswer[],
  zone: string,
) {
  const known = new Map<string, KnownAnswer>()
  const titles = new Map(config.stages.get(row.stage)?.components.map(({ dataType, title }) => [dataType, title]))
  const asked = new Set(config.fieldsOf(row.stage))
  const add = (answers: FieldAnswer[], isHere: boolean) => {
    for (const { question, value } of answers) {
      const dataType = config.dataTypes.get(question._id)!
      const code = dataType.code.toLowerCase()
      // An answer on another form does not stand in for a blank on this form.
      if (known.has(code) || (!isHere && asked.has(question._id))) continue
      const title = titles.get(question._id) ?? question.name
      known.set(code, { question, title, value, operand: operandOf(dataType)(value, zone), isHere })
    }
  }
  add(here, true)
  add(others, false)
  return known
}

/** With more earlier responses than this, another response changes too little to check the earlier ones again. */
const FEW = 20

/** The responses of a participant whose numbers are unusual among those of the others, the later ones included. */
const unusualAmong = (responses: readonly { _id: Id; answers: FieldAnswer[] }[]): Id[] =>
  responses.flatMap(({ _id, answers }) => {
    const own = numbersIn(responses.filter((other) => other._id !== _id).map(({ answers }) => answers))
    return unusualNumbers(answers, { own, all: new Map() }).length ? [_id] : []
  })

/**
 * The findings in a response, at most one for each set of fields, and the earlier responses that should be checked again, as
 * too little was known to judge their numbers before.
 * @param instructions of the trial, as text
 */
export function findingsIn(
  db: Db,
  config: Configuration,
  row: OwnedResponse,
  at: LocalNow,
  instructions: string | null,
): { findings: Finding[]; again: Id[] } {
  const answers = answersIn(db, config, row)
  const others = latestOfParticipant(db, row.participant)
    .filter(({ _id }) => _id !== row._id)
    .map((other) => ({ ...other, answers: answersIn(db, config, other) }))
  const elsewhere = others.flatMap(({ answers }) => answers)
  const sample = comparisonFor(db, config, row)
  const numbers = { own: numbersIn(others.map(({ answers }) => answers)), all: sample.others }
  const earlier = new Map<Id, unknown[]>()
  for (const { question, value } of elsewhere) {
    earlier.set(question._id, [...(earlier.get(question._id) ?? []), value])
  }
  const stage = config.stages.get(row.stage)
  const isSeries = stage?.isRecurring === true && !stage.adHoc
  const series = { n: row.stageRecurrence, others: others.filter(({ stage }) => stage === row.stage) }
  const { rules } = instructionsFor(config, instructions)
  const findings = firstPerFields([
    ...brokenSoftRules(db, config, row, at),
    ...brokenRules(rules, rules.length ? answersByCode(config, row, answers, elsewhere, at.zone) : new Map(), at),
    ...unusualNumbers(answers, numbers),
    ...impossibleDates(answers, at.zone, isSeries ? series : undefined),
    ...contradictions(answers, earlier),
  ])
  const unusualOwn = others.length > FEW ? [] : unusualAmong([{ _id: row._id, answers }, ...others])
  return { findings, again: [...sample.again, ...unusualOwn] }
}
