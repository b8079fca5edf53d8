/** Consent forms on the wire (docs/consent.md). */
import * as t from '#wire/schema'

const optional = (most: number, description?: string) => {
  const schema = t.orNull(t.text(0, most))
  return t.maybe(description ? t.withDescription(description, schema) : schema)
}

const methods = t.list(t.oneOf('email', 'phone', 'whatsapp'), 3)

const ConditionInput = t.shape('ConsentConditionInput', {
  id: t.maybe(t.withDescription('Unique in the form; without it, the server makes one.', t.oneLine(1, 50))),
  title: t.text(1, 500),
  description: optional(5000),
  optional: t.maybe(t.withDescription('A person may consent without confirming it.', t.flag())),
  requiresInitials: t.maybe(t.flag()),
})

const Question = t.shape('ConsentQuizQuestion', {
  question: t.text(1, 1000),
  options: t.list(t.text(1, 500), 10, 2),
  correct: t.withDescription('The place of the right option, from 0.', t.whole(0, 9)),
  explanation: optional(2000),
})

export const ConsentFormInput = t.shape('ConsentFormInput', {
  document: t.withDescription(
    'The information sheet, as HTML. Only what texts need is kept of it.',
    t.text(5, 100_000),
  ),
  formKey: t.maybe(
    t.withDescription(
      'Letters and digits, unique in the trial without regard to case. The default is `main`, then `main2`.',
      t.text(1, 50),
    ),
  ),
  name: t.maybe(t.withDescription('Shown to staff.', t.orNull(t.oneLine(0, 200)))),
  eligibilityCriteria: optional(20_000),
  conditions: t.maybe(t.list(ConditionInput, 50)),
  verificationMethods: t.maybe(t.withDescription('At least one; the default is `email`.', methods)),
  requiredVerificationMethods: t.maybe(t.withDescription('Some of `verificationMethods`.', methods)),
  identityVerificationEnabled: t.maybe(t.flag()),
  connectContactDetails: t.maybe(
    t.withDescription('Verified contact details are copied to the participant.', t.flag()),
  ),
  postConsentText: optional(20_000),
  postConsentStage: t.maybe(t.withDescription('The stage that is offered after the consent.', t.orNull(t.id()))),
  postConsentStageButtonLabel: optional(100),
  postSubmissionText: optional(3000),
  notificationEmail: t.maybe(t.withDescription('Gets an e-mail about each consent.', t.orNull(t.email()))),
  withdrawalEmail: t.maybe(t.withDescription('Gets an e-mail about each withdrawal.', t.orNull(t.email()))),
  readToEnd: t.maybe(t.withDescription('A person reads the sheet to its end before they sign.', t.flag())),
  signatureMethods: t.maybe(t.withDescription('The default is both.', t.list(t.oneOf('drawn', 'typed'), 2))),
  quiz: t.maybe(t.withDescription('Questions to answer rightly before signing.', t.list(Question, 20))),
  requiresCountersignature: t.maybe(t.flag()),
})
export type ConsentFormInput = t.ValueOf<typeof ConsentFormInput>

export const ConsentFormChange = t.joinShapes(
  'ConsentFormChange',
  t.partial(ConsentFormInput),
  t.shape({
    requiresReconsent: t.maybe(
      t.withDescription(
        'Who signed an earlier version than the one after this change is asked to sign again.',
        t.flag(),
      ),
    ),
    blocksForms: t.maybe(
      t.withDescription(
        'With `requiresReconsent`: until they have signed again, nothing is taken from them where this form is required.',
        t.flag(),
      ),
    ),
  }),
)
export type ConsentFormChange = t.ValueOf<typeof ConsentFormChange>

/** A statement that a person confirms. */
export const Condition = t.shape('ConsentCondition', {
  id: t.oneLine(1, 50),
  title: t.text(1, 500),
  description: t.orNull(t.text(0, 5000)),
  optional: t.flag(),
  requiresInitials: t.flag(),
})

const Content = t.shape('ConsentContent', {
  document: t.withDescription('HTML that may be shown.', t.text(1, 1_000_000)),
  eligibilityCriteria: t.orNull(t.text(0, 20_000)),
  conditions: t.list(Condition),
  verificationMethods: methods,
  requiredVerificationMethods: methods,
  identityVerificationEnabled: t.flag(),
  connectContactDetails: t.flag(),
  postConsentText: t.orNull(t.text(0, 20_000)),
  postConsentStage: t.orNull(t.id()),
  postConsentStageButtonLabel: t.orNull(t.text(0, 100)),
  postSubmissionText: t.orNull(t.text(0, 3000)),
  readToEnd: t.flag(),
  signatureMethods: t.list(t.oneOf('drawn', 'typed'), 2),
  quiz: t.list(Question),
  requiresCountersignature: t.flag(),
})

/** A form as a snapshot of the configuration holds it: without the addresses of staff, and without what changes as people consent. */
export const SavedConsentForm = t.joinShapes(
  'SavedConsentForm',
  t.shape({
    _id: t.id(),
    formKey: t.text(1, 50),
    name: t.orNull(t.oneLine(0, 200)),
    version: t.withDescription('The number of the newest version.', t.whole(1)),
    reconsentFrom: t.withDescription(
      'Who signed a version before this one is asked to sign again.',
      t.orNull(t.whole(1)),
    ),
    blocksFrom: t.maybe(
      t.withDescription(
        'From who signed a version before this one, nothing is taken where the form is required, until they have signed again.',
        t.orNull(t.whole(1)),
      ),
    ),
  }),
  Content,
)

export const ConsentForm = t.joinShapes(
  'ConsentForm',
  SavedConsentForm,
  t.shape({
    ...{ createdAt: t.instant(), updatedAt: t.instant(), trial: t.id(), consentCount: t.whole(0) },
    ...{ notificationEmail: t.orNull(t.text(0, 200)), withdrawalEmail: t.orNull(t.text(0, 200)) },
  }),
)
export const ConsentForms = t.shape('ConsentForms', { documents: t.list(ConsentForm) })

const Version = t.shape('ConsentFormVersion', {
  number: t.whole(1),
  createdAt: t.instant(),
  createdBy: t.id(),
  hash: t.withDescription('SHA-256 of the content as JSON with sorted keys.', t.text(64, 64)),
})
export const ConsentFormVersions = t.shape('ConsentFormVersions', { versions: t.list(Version, 1_000_000) })
export const ConsentFormVersionDetail = t.joinShapes('ConsentFormVersionDetail', Version, t.shape({ content: Content }))
