/** What a consent form may say, and what a change makes of it. */
import type { ConsentContent } from '#db/tables/index'
import type { FieldProblems } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import type { ConsentFormInput } from './model'

/** What a form says about everything that a body leaves out. */
const EMPTY_CONTENT: Omit<ConsentContent, 'document'> = {
  eligibilityCriteria: null,
  conditions: [],
  verificationMethods: ['email'],
  requiredVerificationMethods: [],
  identityVerificationEnabled: false,
  connectContactDetails: false,
  postConsentText: null,
  postConsentStage: null,
  postConsentStageButtonLabel: null,
  postSubmissionText: null,
  readToEnd: false,
  signatureMethods: ['drawn', 'typed'],
  quiz: [],
  requiresCountersignature: false,
}

/** The default key of a form: `main`, `main2`, … @param taken the keys of the trial's forms */
export function freeKey(taken: readonly string[]): string {
  const used = new Set(taken.map((key) => key.toLowerCase()))
  let key = 'main'
  for (let number = 2; used.has(key); number++) key = `main${number}`
  return key
}

/**
 * The content after a change. @param before undefined for a new form; @param document the HTML that may be shown;
 * @param newId makes the `id` of a statement that has none
 */
export function contentAfter(
  before: ConsentContent | undefined,
  body: Partial<ConsentFormInput>,
  document: string,
  newId: () => string,
): ConsentContent {
  const base = before ?? EMPTY_CONTENT
  const pick = <K extends keyof typeof EMPTY_CONTENT & keyof ConsentFormInput>(field: K) => body[field] ?? null
  const text = (
    field:
      | 'eligibilityCriteria'
      | 'postConsentText'
      | 'postConsentStage'
      | 'postConsentStageButtonLabel'
      | 'postSubmissionText',
  ) => (body[field] === undefined ? base[field] : pick(field))
  return {
    document,
    eligibilityCriteria: text('eligibilityCriteria'),
    conditions:
      body.conditions?.map(
        ({ id = newId(), title, description = null, optional = false, requiresInitials = false }) => ({
          ...{ id, title, description, optional, requiresInitials },
        }),
      ) ?? base.conditions,
    verificationMethods: body.verificationMethods ?? base.verificationMethods,
    requiredVerificationMethods: body.requiredVerificationMethods ?? base.requiredVerificationMethods,
    identityVerificationEnabled: body.identityVerificationEnabled ?? base.identityVerificationEnabled,
    connectContactDetails: body.connectContactDetails ?? base.connectContactDetails,
    postConsentText: text('postConsentText'),
    postConsentStage: text('postConsentStage'),
    postConsentStageButtonLabel: text('postConsentStageButtonLabel'),
    postSubmissionText: text('postSubmissionText'),
    readToEnd: body.readToEnd ?? base.readToEnd,
    signatureMethods: body.signatureMethods ?? base.signatureMethods,
    quiz: body.quiz?.map((each) => ({ ...each, explanation: each.explanation ?? null })) ?? base.quiz,
    requiresCountersignature: body.requiresCountersignature ?? base.requiresCountersignature,
  }
}

const hasDuplicates = (values: readonly unknown[]) => new Set(values).size < values.length

/** What is wrong with a form, by field; empty if nothing is. @param hasStage whether the trial has a stage of that `_id` */
export function consentFormProblems(
  content: ConsentContent,
  formKey: string | undefined,
  hasStage: (_id: string) => boolean,
): FieldProblems {
  const { conditions, verificationMethods, requiredVerificationMethods, signatureMethods, quiz } = content
  const problems: Record<string, Reason[]> = {}
  if (formKey !== undefined && !/^[A-Za-z0-9]+$/.test(formKey)) problems.formKey = [reason('notLettersAndDigits')]
  if (hasDuplicates(conditions.map(({ id }) => id))) problems.conditions = [reason('sameStatementId')]
  for (const [field, values] of Object.entries({ verificationMethods, signatureMethods })) {
    if (!values.length) problems[field] = [reason('namesNone')]
    else if (hasDuplicates(values)) problems[field] = [reason('namesOneTwice')]
  }
  if (hasDuplicates(requiredVerificationMethods)) problems.requiredVerificationMethods = [reason('namesOneTwice')]
  if (requiredVerificationMethods.some((method) => !verificationMethods.includes(method))) {
    problems.requiredVerificationMethods = [reason('notAllAmong', { field: 'verificationMethods' })]
  }
  if (quiz.some(({ options, correct }) => correct >= options.length)) {
    problems.quiz = [reason('correctNotAnOption')]
  }
  if (content.postConsentStage !== null && !hasStage(content.postConsentStage)) {
    problems.postConsentStage = [reason('stageUnknown')]
  }
  return problems
}
