/** Merges answers into a form, computes calculations, and decides which fields are shown (docs/forms.md, "Submissions"). */

import type { Expression } from '#design/dataTypes/expressions'
import type { Operand } from '#design/dataTypes/operands'
import { SUBMISSION_STEPS } from '#design/dataTypes/pattern'
import { type AnswerProblem, outsideSettings } from '#design/dataTypes/problems'
import { isBlank, normalise } from '#design/dataTypes/values'
import type { RuleMessage } from '#design/stages/components'
import { messagesFor } from '#design/stages/scoring'
import type { LocalNow } from '#kernel/calendar'
import { isSame } from '#kernel/json'
import type { CodedProblem } from '#texts/answers/problemText'
import type { CompiledConstraint, Field, Form, SentAnswer } from './form'
import { type Amendment, requiredProblem, requirementTest } from './requiredFields'

/** The change of one field. `value` and `before` are null for a blank. */
export type AnswerChange = { dataType: string; value: unknown; before: unknown }

type Problems = Readonly<Record<string, string>>

/** A problem of a field for programs, and as a sentence. For a rule of the study, `params.message` is its own message. */
export type FieldProblem = CodedProblem & { text: string }

export type FillResult = {
  /** By data type: answers that are not the JSON type of the format (422). */
  wrong: Problems
  /** By data type: answers outside the settings (400). */
  unfit: Problems
  /** By data type: fields that are required, shown and blank (400); empty if the stage allows incomplete submissions. */
  missing: Problems
  /** All of these by data type, with code and parameters, among them the title of the field. */
  problems: Readonly<Record<string, FieldProblem>>
  /** All answers that are not blank, after merging, clearing hidden fields, and computing calculations. */
  values: Record<string, unknown>
  changes: AnswerChange[]
  /** The data types of components that are not shown. */
  hidden: string[]
  score?: number
  partial: boolean
  /** The messages for the person who submits. */
  messages: RuleMessage[]
}

const none: Readonly<Record<string, never>> = Object.freeze({})
const tooLong = outsideSettings('tooManySteps')
/** A problem as a sentence: “Pulse” must be from 30 to 220. */
export const problemSentence = (title: string, { problem }: AnswerProblem): string => `“${title}” ${problem}.`

/**
 * Fills in a form: checks what was sent, merges it with the current answers, clears fields that are not shown, computes
 * calculations and the score. If `wrong`, `unfit` or `missing` has entries, the caller must refuse the submission and ignore
 * the rest.
 * @param current the answers so far, by data type
 * @param sent by data type; entries that are not fields of the stage are ignored
 * @param isHidden whether a field is hidden from the sender: sent again, it counts as changed and is checked even if it is
 * the same, so that the sender does not learn whether a guess was right
 * @param amendment what is known of the response if there is one already: then less is required
 */
export function fillForm(
  form: Form,
  current: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, SentAnswer>>,
  at: LocalNow,
  isHidden: (dataType: string) => boolean = () => false,
  amendment?: Amendment,
): FillResult {
  const values: Record<string, unknown> = {}
  for (const dataType in current) {
    if (!form.dataTypes.has(dataType) && !isBlank(current[dataType])) values[dataType] = current[dataType]
  }
  const changes: AnswerChange[] = []
  const hidden: string[] = []
  let [wrong, unfit, missing]: [Problems, Problems, Problems] = [none, none, none]
  let problems: Readonly<Record<string, FieldProblem>> = none
  /** Notes a problem of a field; returns its sentence. The first one of a field counts. */
  const addProblem = (dataType: string, title: string, coded: CodedProblem, text: string): Problems => {
    const { code, params, inner } = coded
    const fieldProblem = { code, params: { title, ...params }, ...(inner ? { inner } : {}), text }
    problems = { [dataType]: fieldProblem, ...problems }
    return { [dataType]: text }
  }
  const lookup = operandsIn(form, values, at)
  // Where the stage takes blanks, they are noted all the same: the response is then partial.
  const isAsked = requirementTest(
    form.allowsIncomplete ? undefined : amendment,
    () => fillForm(form, current, {}, at).hidden,
  )
  let steps = 0
  const problemWith = (field: Field, answer: unknown): AnswerProblem | undefined => {
    if (steps <= SUBMISSION_STEPS) steps += field.steps?.(answer) ?? 0
    return steps > SUBMISSION_STEPS ? tooLong : field.check(answer, at)
  }
  for (const field of form.fields) {
    const { dataType, title, calculation } = field
    const stored = current[dataType]
    const before = isBlank(stored) ? undefined : stored
    const answer = answerTo(field, sent[dataType], before)
    // Unchanged answers are not checked again: the settings may have become stricter since.
    const isOverwritten = calculation === undefined && sent[dataType]?.value !== undefined && isHidden(dataType)
    const isNew = answer !== undefined && (isOverwritten || !isSame(answer, before))
    const answerProblem = isNew ? problemWith(field, answer) : undefined
    const isShown = isFieldShown(field, form, values, at.zone)
    if (answerProblem?.kind === 'wrong')
      wrong = { ...wrong, ...addProblem(dataType, title, answerProblem, problemSentence(title, answerProblem)) }
    else if (answerProblem && isShown)
      unfit = { ...unfit, ...addProblem(dataType, title, answerProblem, problemSentence(title, answerProblem)) }
    let value: unknown
    if (isShown) {
      if (calculation !== undefined) value = calculate(calculation, lookup, at)
      else value = answerProblem ? before : answer
      const isSentBlank = value === undefined && sent[dataType]?.value !== undefined
      const problem = field.isRequired && !answerProblem ? requiredProblem(field, value) : undefined
      if (problem && isAsked(dataType, isOverwritten || isSentBlank || !isSame(value, before)))
        missing = { ...missing, ...addProblem(dataType, title, problem, problemSentence(title, problem)) }
      if (value !== undefined) values[dataType] = value
    } else hidden.push(dataType)
    if (isOverwritten || !isSame(value, before)) {
      changes.push({ dataType, value: value ?? null, before: before ?? null })
    }
  }
  for (const { field, constraint } of brokenConstraints(form, values, at)) {
    if (constraint.isSoft || !concernsChange(constraint, field, form, changes)) continue
    const ofRule: CodedProblem = { code: 'constraint', params: { message: constraint.sentence } }
    unfit = { ...addProblem(field.dataType, field.title, ofRule, constraint.sentence), ...unfit }
  }
  const score = form.score?.(values, at.zone)
  return {
    wrong,
    unfit,
    missing: form.allowsIncomplete ? none : missing,
    problems,
    values,
    changes,
    hidden,
    ...(score === undefined ? {} : { score }),
    partial: form.allowsIncomplete && missing !== none,
    messages: messagesFor(form.messageRules, score),
  }
}

/**
 * The constraints that the answers break: those of answered fields whose expression is false.
 * @param values all answers that are not blank, by data type
 */
export function brokenConstraints(form: Form, values: Readonly<Record<string, unknown>>, at: LocalNow) {
  if (!form.constrained.length) return []
  const lookup = operandsIn(form, values, at)
  return form.constrained.filter(
    ({ field, constraint }) => values[field.dataType] !== undefined && constraint.test.evaluate(lookup, at) === 0,
  )
}

/** Whether a change has to do with a constraint: earlier answers are not refused because a constraint is new. */
function concernsChange(
  { test }: CompiledConstraint,
  field: Field,
  form: Form,
  changes: readonly AnswerChange[],
): boolean {
  const named = new Set([field.dataType, ...test.references.map((code) => form.operands.get(code)?.dataType)])
  return changes.some(({ dataType }) => named.has(dataType))
}

const operandsIn =
  (form: Form, values: Readonly<Record<string, unknown>>, at: LocalNow) =>
  (code: string): Operand => {
    const operand = form.operands.get(code)
    return operand ? operand.read(values[operand.dataType], at.zone) : null
  }

/** The answer to a field: the one that was sent, else the previous one. */
function answerTo({ settings }: Field, sent: SentAnswer | undefined, before: unknown): unknown {
  return sent === undefined || sent.value === undefined ? before : normalise(settings, sent.value)
}

/** The value of a calculation; undefined if it has no valid expression or no value. */
function calculate(calculation: Expression | null, lookup: (code: string) => Operand, at: LocalNow): unknown {
  return calculation?.evaluate(lookup, at) ?? undefined
}

/** Whether these answers show the field. They contain the answers of all fields before it. */
function isFieldShown(
  { displayCondition }: Field,
  form: Form,
  answers: Readonly<Record<string, unknown>>,
  zone: string,
): boolean {
  if (displayCondition === undefined) return true
  return (
    form.dataTypes.has(displayCondition.dataType) && displayCondition.holds(answers[displayCondition.dataType], zone)
  )
}
