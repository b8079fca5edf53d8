/** What is required of a first entry, and of an amendment (docs/forms.md, "Corrections"). */
import { type AnswerProblem, outsideSettings } from '#design/dataTypes/problems'
import type { Field } from './form'

/** What is known of a response that is amended. */
export type Amendment = {
  /** Whether the field was not in the form yet when the response was entered. */
  isAddedLater(dataType: string): boolean
}

/** The problem of a required field that is blank or incomplete; undefined if it is complete. */
export function requiredProblem(field: Field, value: unknown): AnswerProblem | undefined {
  if (value === undefined) return outsideSettings('required')
  if (!field.statements) return undefined
  const open = field.statements.filter(({ key }) => !Object.hasOwn(value as object, key))
  if (!open.length) return undefined
  return outsideSettings('openStatements', { statements: open.map(({ label }) => `“${label}”`).join(', ') })
}

/**
 * Whether a required field must be complete: every one of a first entry; of an amendment those that it touches or makes visible, and
 * none that came into the form after the response was entered.
 * @param amendment undefined for a first entry
 * @param hiddenBefore the fields that the answers so far do not show
 */
export function requirementTest(
  amendment: Amendment | undefined,
  hiddenBefore: () => readonly string[],
): (dataType: string, isTouched: boolean) => boolean {
  if (!amendment) return () => true
  let hidden: readonly string[] | undefined
  return (dataType, isTouched) => {
    if (amendment.isAddedLater(dataType)) return false
    if (isTouched) return true
    hidden ??= hiddenBefore()
    return hidden.includes(dataType)
  }
}
