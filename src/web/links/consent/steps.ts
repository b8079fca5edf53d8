/** The steps of a consent, and which of them still lack something (pure). */

import type { Session, Sheet } from './requests'
import { readingMinutes } from './sheetTree'
import { hasDrawing, type Stroke } from './strokes'

export type Step =
  | 'information'
  | 'questions'
  | 'eligibility'
  | 'statements'
  | 'contact'
  | 'photo'
  | 'signature'
  | 'review'

/** What a person has entered, and the server does not know yet. */
export type ConsentInput = {
  isEligible: boolean
  /** By the id of a statement. */
  confirmations: Readonly<Record<string, boolean>>
  initials: Readonly<Record<string, string>>
  fullName: string
  way: 'typed' | 'drawn'
  typedName: string
  strokes: readonly Stroke[]
}

export const emptyInput = ({ signatureMethods }: Sheet): ConsentInput => ({
  ...{ isEligible: false, confirmations: {}, initials: {}, fullName: '', typedName: '', strokes: [] },
  way: signatureMethods.includes('typed') ? 'typed' : 'drawn',
})

/** The steps of a form, in their order. */
export function stepsOf(sheet: Sheet): Step[] {
  const { quiz, eligibilityCriteria, conditions, verificationMethods, identityVerificationEnabled } = sheet
  return [
    'information',
    ...(quiz.length ? ['questions' as const] : []),
    ...(eligibilityCriteria !== null ? ['eligibility' as const] : []),
    ...(conditions.length ? ['statements' as const] : []),
    ...(verificationMethods.length ? ['contact' as const] : []),
    ...(identityVerificationEnabled ? ['photo' as const] : []),
    'signature',
    'review',
  ]
}

const verifiedMethods = ({ verifications }: Session) =>
  verifications.filter(({ verifiedAt }) => verifiedAt !== null).map(({ method }) => method)

/** The methods that the form asks for and that are not verified yet. */
export function unverifiedMethods(session: Session) {
  const verified = verifiedMethods(session)
  return session.sheet.requiredVerificationMethods.filter((method) => !verified.includes(method))
}

type StatementFault = { id: string; fault: 'confirm' | 'choice' | 'initials' }

/** What is wrong with the statements, by the id of a statement. */
export function statementFaults({ conditions }: Sheet, { confirmations, initials }: ConsentInput): StatementFault[] {
  return conditions.flatMap(({ id, optional, requiresInitials }): StatementFault[] => {
    const isChosen = optional ? confirmations[id] !== undefined : confirmations[id]
    if (!isChosen) return [{ id, fault: optional ? 'choice' : 'confirm' }]
    const isSigned = !requiresInitials || !confirmations[id] || initials[id]?.trim()
    return isSigned ? [] : [{ id, fault: 'initials' }]
  })
}

/** The field of the signature at fault; undefined if nothing is. */
export function signatureFault({
  fullName,
  way,
  typedName,
  strokes,
}: ConsentInput): 'fullName' | 'typedName' | 'drawn' | undefined {
  if (fullName.trim().length < 2) return 'fullName'
  if (way === 'typed') return typedName.trim() === fullName.trim() ? undefined : 'typedName'
  return hasDrawing(strokes) ? undefined : 'drawn'
}

/** Whether a step lacks something. */
function isIncomplete(step: Step, session: Session, work: ConsentInput): boolean {
  switch (step) {
    case 'information':
      return session.sheet.readToEnd && !session.hasRead
    case 'questions':
      return !session.hasPassedQuiz
    case 'eligibility':
      return !work.isEligible
    case 'statements':
      return statementFaults(session.sheet, work).length > 0
    case 'contact':
      return unverifiedMethods(session).length > 0
    case 'photo':
      return !session.hasPhoto
    case 'signature':
      return signatureFault(work) !== undefined
    case 'review':
      return false
  }
}

/** The first step that lacks something; undefined if the form can be signed. */
export const missingStep = (session: Session, work: ConsentInput): Step | undefined =>
  stepsOf(session.sheet).find((step) => isIncomplete(step, session, work))

/** The step that a person comes back to: no further than the first that lacks something. Without one, they begin. */
export function reachableStep(wanted: Step | undefined, session: Session, work: ConsentInput): Step {
  const steps = stepsOf(session.sheet)
  const first = missingStep(session, work) ?? 'review'
  if (!wanted) return 'information'
  return steps.includes(wanted) && steps.indexOf(wanted) <= steps.indexOf(first) ? wanted : first
}

/** The body with which the form is signed. @param drawing a PNG in base64 */
export function consentBody(
  { eligibilityCriteria, conditions }: Sheet,
  work: ConsentInput,
  drawing: string | undefined,
) {
  const { confirmations, initials, fullName, way, typedName } = work
  const agreed = conditions.filter(({ id }) => confirmations[id])
  const signed = agreed.filter(({ requiresInitials }) => requiresInitials)
  return {
    fullName: fullName.trim(),
    ...(eligibilityCriteria === null ? {} : { eligibilityConfirmed: work.isEligible }),
    confirmations: Object.fromEntries(conditions.map(({ id }) => [id, confirmations[id] === true])),
    initials: Object.fromEntries(signed.map(({ id }) => [id, (initials[id] ?? '').trim()])),
    signature: way === 'drawn' ? { method: way, image: drawing } : { method: way, name: typedName.trim() },
  }
}

/** How many minutes the form takes, about: in steps of five. */
export function minutesOf({ document, quiz, conditions, verificationMethods }: Sheet): number {
  const doing = quiz.length / 2 + conditions.length / 4 + verificationMethods.length + 2
  return Math.ceil((readingMinutes(document) + doing) / 5) * 5
}
