/** What the rules of automatic queries look at and find, each rule in a file of its own (pure). */
import type { Id } from '#kernel/id'

/** What of a data type the rules look at. */
export type Question = {
  _id: Id
  name: string
  /** The variable name, which tells what is asked where the name is in another language. */
  code?: string
  format: string
  unit: string | null
  isRestricted: boolean
  isPii: boolean
  options?: readonly { label: string }[] | null
}
export type Answered = { question: Question; value: unknown }

/**
 * Something that should be asked about. The same rule, field and value are asked about once.
 * `fields` are all that it is about, by `_id` (one without an answer by its code), in any order.
 */
export type Finding = { rule: string; dataType: Id; fields: readonly string[]; value: unknown; text: string }

/**
 * The first finding about each set of fields: one mistake is one query, however many rules see it. So the study's own rules
 * are to come first.
 */
export function oneEach(findings: readonly Finding[]): Finding[] {
  const asked = new Set<string>()
  return findings.filter(({ fields }) => {
    const about = [...new Set(fields)].sort().join()
    return !asked.has(about) && asked.add(about)
  })
}

/**
 * The field that a finding is raised on: the last that is as hidden as everything it is about, as it tells something of all.
 * @param among the fields that it may be raised on
 */
export function heldBy(about: readonly Question[], among = about): Id | undefined {
  const isRestricted = about.some((question) => question.isRestricted)
  const isPii = about.some((question) => question.isPii)
  const covers = (question: Question) => (question.isRestricted || !isRestricted) && (question.isPii || !isPii)
  return among.findLast(covers)?._id
}

/** A finding about two answers, unless nobody may know of both. */
export function about(rule: string, a: Answered, b: Answered, text: string): Finding[] {
  const dataType = heldBy([a.question, b.question])
  const fields = [a.question._id, b.question._id]
  return dataType === undefined ? [] : [{ rule, dataType, fields, value: [a.value, b.value], text }]
}

/** How the text of a finding about two answers ends. */
export const CHECK = 'Please check both with the source.'
