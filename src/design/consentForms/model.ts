/** Consent forms on the wire (docs/consent.md). */
import {
  email,
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  partial,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

const optional = (most: number, description?: string) => {
  const schema = orNull(text(0, most))
  return maybe(description ? withDescription(description, schema) : schema)
}

const methods = list(oneOf('email', 'phone', 'whatsapp'), 3)

const ConditionInput = shape('ConsentConditionInput', {
  id: maybe(withDescription('Unique in the form; without it, the server makes one.', oneLine(1, 50))),
  title: text(1, 500),
  description: optional(5000),
  optional: maybe(withDescription('A person may consent without confirming it.', flag())),
  requiresInitials: maybe(flag()),
})

const Question = shape('ConsentQuizQuestion', {
  question: text(1, 1000),
  options: list(text(1, 500), 10, 2),
  correct: withDescription('The place of the right option, from 0.', whole(0, 9)),
  explanation: optional(2000),
})

export const ConsentFormInput = shape('ConsentFormInput', {
  document: withDescription('The information sheet, as HTML. Only what texts need is kept of it.', text(5, 100_000)),
  formKey: maybe(
    withDescription(
      'Letters and digits, unique in the trial without regard to case. The default is `main`, then `main2`.',
      text(1, 50),
    ),
  ),
  name: maybe(withDescription('Shown to staff.', orNull(oneLine(0, 200)))),
  eligibilityCriteria: optional(20_000),
  conditions: maybe(list(ConditionInput, 50)),
  verificationMethods: maybe(withDescription('At least one; the default is `email`.', methods)),
  requiredVerificationMethods: maybe(withDescription('Some of `verificationMethods`.', methods)),
  identityVerificationEnabled: maybe(flag()),
  connectContactDetails: maybe(withDescription('Verified contact details are copied to the participant.', flag())),
  postConsentText: optional(20_000),
  postConsentStage: maybe(withDescription('The stage that is offered after the consent.', orNull(id()))),
  postConsentStageButtonLabel: optional(100),
  postSubmissionText: optional(3000),
  notificationEmail: maybe(withDescription('Gets an e-mail about each consent.', orNull(email()))),
  withdrawalEmail: maybe(withDescription('Gets an e-mail about each withdrawal.', orNull(email()))),
  readToEnd: maybe(withDescription('A person reads the sheet to its end before they sign.', flag())),
  signatureMethods: maybe(withDescription('The default is both.', list(oneOf('drawn', 'typed'), 2))),
  quiz: maybe(withDescription('Questions to answer rightly before signing.', list(Question, 20))),
  requiresCountersignature: maybe(flag()),
})
export type ConsentFormInput = ValueOf<typeof ConsentFormInput>

export const ConsentFormChange = joinShapes(
  'ConsentFormChange',
  partial(ConsentFormInput),
  shape({
    requiresReconsent: maybe(
      withDescription('Who signed an earlier version than the one after this change is asked to sign again.', flag()),
    ),
    blocksForms: maybe(
      withDescription(
        'With `requiresReconsent`: until they have signed again, nothing is taken from them where this form is required.',
        flag(),
      ),
    ),
  }),
)
export type ConsentFormChange = ValueOf<typeof ConsentFormChange>

/** A statement that a person confirms. */
export const Condition = shape('ConsentCondition', {
  id: oneLine(1, 50),
  title: text(1, 500),
  description: orNull(text(0, 5000)),
  optional: flag(),
  requiresInitials: flag(),
})

const Content = shape('ConsentContent', {
  document: withDescription('HTML that may be shown.', text(1, 1_000_000)),
  eligibilityCriteria: orNull(text(0, 20_000)),
  conditions: list(Condition),
  verificationMethods: methods,
  requiredVerificationMethods: methods,
  identityVerificationEnabled: flag(),
  connectContactDetails: flag(),
  postConsentText: orNull(text(0, 20_000)),
  postConsentStage: orNull(id()),
  postConsentStageButtonLabel: orNull(text(0, 100)),
  postSubmissionText: orNull(text(0, 3000)),
  readToEnd: flag(),
  signatureMethods: list(oneOf('drawn', 'typed'), 2),
  quiz: list(Question),
  requiresCountersignature: flag(),
})

/** A form as a snapshot of the configuration holds it: without the addresses of staff, and without what changes as people consent. */
export const SavedConsentForm = joinShapes(
  'SavedConsentForm',
  shape({
    _id: id(),
    formKey: text(1, 50),
    name: orNull(oneLine(0, 200)),
    version: withDescription('The number of the newest version.', whole(1)),
    reconsentFrom: withDescription('Who signed a version before this one is asked to sign again.', orNull(whole(1))),
    blocksFrom: maybe(
      withDescription(
        'From who signed a version before this one, nothing is taken where the form is required, until they have signed again.',
        orNull(whole(1)),
      ),
    ),
  }),
  Content,
)

export const ConsentForm = joinShapes(
  'ConsentForm',
  SavedConsentForm,
  shape({
    ...{ createdAt: instant(), updatedAt: instant(), trial: id(), consentCount: whole(0) },
    ...{ notificationEmail: orNull(text(0, 200)), withdrawalEmail: orNull(text(0, 200)) },
  }),
)
export const ConsentForms = shape('ConsentForms', { documents: list(ConsentForm) })

const Version = shape('ConsentFormVersion', {
  number: whole(1),
  createdAt: instant(),
  createdBy: id(),
  hash: withDescription('SHA-256 of the content as JSON with sorted keys.', text(64, 64)),
})
export const ConsentFormVersions = shape('ConsentFormVersions', { versions: list(Version, 1_000_000) })
export const ConsentFormVersionDetail = joinShapes('ConsentFormVersionDetail', Version, shape({ content: Content }))
