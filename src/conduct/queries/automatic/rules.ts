/** Types and functions that all rules of automatic queries use; each rule has its own file (pure). */
import type { Id } from '#kernel/id'
import type { SendableText, Writer } from '#texts/writer'

/** The fields of a data type that the rules use. */
export type Question = {
  _id: Id
  name: string
  /** The variable name. It helps if the name is in a language that the rules do not know. */
  code?: string
  format: string
  unit: string | null
  isRestricted: boolean
  isPii: boolean
  options?: readonly { label: string }[] | null
}
export type FieldAnswer = { question: Question; value: unknown }

/** Writes what a query asks. It is called when the query is raised, for the language of the trial. */
export type QuestionText = (writer: Writer) => SendableText

/**
 * A reason to raise a query. The same rule, field and value raise one query only. `fields` are the `_id`s of all fields that
 * it is about (the code of a field without an answer), in any order.
 */
export type Finding = { rule: string; dataType: Id; fields: readonly string[]; value: unknown; text: QuestionText }

/**
 * The first finding about each set of fields, so that one mistake raises one query even if several rules find it. The study's
 * own rules must therefore come first.
 */
export function firstPerFields(findings: readonly Finding[]): Finding[] {
  const covered = new Set<string>()
  return findings.filter(({ fields }) => {
    const about = [...new Set(fields)].sort().join()
    return !covered.has(about) && covered.add(about)
  })
}

/**
 * The field on which a finding is raised: the last one that is as restricted as all the fields it is about, because its text
 * reveals something of each. Undefined if there is none.
 * @param among the fields on which it may be raised
 */
export function fieldToRaiseOn(about: readonly Question[], among = about): Id | undefined {
  const isRestricted = about.some((question) => question.isRestricted)
  const isPii = about.some((question) => question.isPii)
  const covers = (question: Question) => (question.isRestricted || !isRestricted) && (question.isPii || !isPii)
  return among.findLast(covers)?._id
}

/** A finding about two answers; empty if no field is restricted enough for both. */
export function findingAbout(rule: string, a: FieldAnswer, b: FieldAnswer, text: QuestionText): Finding[] {
  const dataType = fieldToRaiseOn([a.question, b.question])
  const fields = [a.question._id, b.question._id]
  return dataType === undefined ? [] : [{ rule, dataType, fields, value: [a.value, b.value], text }]
}
