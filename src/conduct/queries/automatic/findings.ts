/** Everything that rules find in a response: those of the service, and those that the trial's instructions are. */

import type { ResponseRow } from '#conduct/responses/store'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { operandOf } from '#design/dataTypes/answerOperands'
import type { At } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import { answersIn, numbersIn, sampleOf } from './answers'
import { contradictions } from './contradictions'
import { impossibleDates } from './impossibleDates'
import { against, type Known, readInstructions } from './instructions'
import { oddNumbers } from './numbers'
import { type Answered, type Finding, oneEach } from './rules'
import { latestOfParticipant } from './sinceStore'

type Instructions = ReturnType<typeof readInstructions>
const read = new WeakMap<Configuration, { text: string | null; instructions: Instructions }>()

/** The trial's instructions, read once for a configuration. */
export function instructionsFor(config: Configuration, text: string | null): Instructions {
  let kept = read.get(config)
  if (kept?.text !== text) {
    const codes = new Set([...config.dataTypes.values()].map(({ code }) => code.toLowerCase()))
    kept = { text, instructions: readInstructions(text, codes) }
    read.set(config, kept!)
  }
  return kept!.instructions
}

/** The answers of a response by the codes of their fields, and of other forms the participant's latest. */
function knownBy(config: Configuration, row: ResponseRow, here: Answered[], others: Answered[], zone: string) {
  const known = new Map<string, Known>()
  const titles = new Map(config.stages.get(row.stage)?.components.map(({ dataType, title }) => [dataType, title]))
  const asked = new Set(config.fieldsOf(row.stage))
  const add = (answers: Answered[], isHere: boolean) => {
    for (const { question, value } of answers) {
      const dataType = config.dataTypes.get(question._id)!
      const code = dataType.code.toLowerCase()
      // A blank of this form is not answered by another form.
      if (known.has(code) || (!isHere && asked.has(question._id))) continue
      const title = titles.get(question._id) ?? question.name
      known.set(code, { question, title, value, operand: operandOf(dataType)(value, zone), isHere })
    }
  }
  add(here, true)
  add(others, false)
  return known
}

/**
 * What is to be asked about a response, one finding for each set of fields.
 * @param instructions of the trial, as they are written
 */
export function findingsIn(
  db: Db,
  config: Configuration,
  row: ResponseRow,
  at: At,
  instructions: string | null,
): Finding[] {
  const answers = answersIn(db, config, row)
  const others = latestOfParticipant(db, row.participant!)
    .filter(({ _id }) => _id !== row._id)
    .map((other) => ({ ...other, answers: answersIn(db, config, other) }))
  const elsewhere = others.flatMap(({ answers }) => answers)
  const numbers = { own: numbersIn(others.map(({ answers }) => answers)), all: sampleOf(db, config, row.stage) }
  const earlier = new Map<Id, unknown[]>()
  for (const { question, value } of elsewhere) {
    earlier.set(question._id, [...(earlier.get(question._id) ?? []), value])
  }
  const stage = config.stages.get(row.stage)
  const isSeries = stage?.isRecurring === true && !stage.adHoc
  const series = { n: row.stageRecurrence, others: others.filter(({ stage }) => stage === row.stage) }
  const { rules } = instructionsFor(config, instructions)
  return oneEach([
    ...against(rules, rules.length ? knownBy(config, row, answers, elsewhere, at.zone) : new Map(), at),
    ...oddNumbers(answers, numbers),
    ...impossibleDates(answers, at.zone, isSeries ? series : undefined),
    ...contradictions(answers, earlier),
  ])
}
