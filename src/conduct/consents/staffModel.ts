/** Consents on the wire, as staff see them (docs/consent.md, "Consents"). */

import { CODES_PAGE, nextCodesField } from '#conduct/contactCodes/pages'
import { withdrawalChoices } from '#design/trials/settingsModel'
import * as t from '#wire/schema'
import { method } from './model'

/** The most consents on a page. */
export const PAGE = 30

const own = (description: string, most = 200) =>
  t.maybe(t.personal(t.withDescription(description, t.orNull(t.text(0, most)))))

export const Consent = t.shape('Consent', {
  _id: t.id(),
  createdAt: t.withDescription('When it was signed.', t.instant()),
  trial: t.id(),
  consentDocument: t.withDescription('The form.', t.id()),
  formKey: t.text(1, 50),
  formName: t.text(0, 200),
  version: t.withDescription('The version of the form that was signed.', t.whole(1)),
  isOutdated: t.withDescription(
    'The form asks for a signature on a newer version, and the participant has not signed it.',
    t.flag(),
  ),
  participant: t.withDescription('Null until the first sign-in with the code.', t.orNull(t.id())),
  participantId: t.orNull(t.oneLine(1, 50)),
  sites: t.list(t.id()),
  groups: t.list(t.id()),
  startedBy: t.withDescription('In person: the member of staff who started the session.', t.orNull(t.id())),
  witness: own('In person: the name of the witness.'),
  present: t.maybe(
    t.personal(t.withDescription('In person: others who were there.', t.orNull(t.list(t.text(0, 200), 10)))),
  ),
  fullName: own('This field, the three below, the files and initials need the permission to see personal information.'),
  email: own('Verified'),
  phone: own('Verified'),
  whatsapp: own('Verified'),
  consentGiven: t.flag(),
  trialConditionsConsentGiven: t.withDescription('All statements that are not optional were confirmed.', t.flag()),
  eligibilityCriteriaConfirmed: t.withDescription('Null if the form had none.', t.orNull(t.flag())),
  conditionConfirmations: t.withDescription(
    'By the `id` of a statement.',
    t.keyed(t.shape({ confirmed: t.flag(), initials: own('The initials that were given') })),
  ),
  signatureMethod: t.oneOf('drawn', 'typed'),
  file: own('Downloads the signed PDF, for an hour', 5000),
  fileHash: t.withDescription('The SHA-256 of the signed PDF.', t.text(64, 64)),
  photo: own('Downloads the photo of an identity document, for an hour', 5000),
  screeningResponses: t.withDescription('The responses to the form that followed.', t.list(t.id(), 1000)),
  sessionEvents: t.list(
    t.shape('ConsentEvent', { createdAt: t.instant(), type: t.text(1, 50), page: t.orNull(t.text(1, 50)) }),
    1000,
  ),
  hasSignInCode: t.withDescription('A code for the first sign-in is still good.', t.flag()),
  withdrawnAt: t.orNull(t.instant()),
  withdrawnBy: t.withDescription('Null if the person withdrew it themselves.', t.orNull(t.id())),
  withdrawalReason: own('Why', 1000),
  withdrawalChoice: t.withDescription(
    'What the person chose for their data when they withdrew.',
    t.orNull(t.oneOf(...withdrawalChoices)),
  ),
  requiresCountersignature: t.flag(),
  countersignedAt: t.orNull(t.instant()),
  countersignedBy: t.orNull(t.id()),
  countersignerName: t.orNull(t.text(0, 1000)),
  countersignedFile: own('Downloads the page with the countersignature, for an hour', 5000),
  countersignedHash: t.orNull(t.text(64, 64)),
  erasedAt: t.withDescription(
    'When what is personal was erased, with the documents, of somebody who never became a participant.',
    t.orNull(t.instant()),
  ),
})

export const ConsentQuery = t.shape({
  page: t.maybe(t.whole(1, 1_000_000)),
  query: t.maybe(
    t.personal(t.withDescription('A part of an e-mail address or telephone number', t.textWithSpaces(1, 200))),
  ),
  consentDocument: t.maybe(t.id()),
})
export const Consents = t.shape('Consents', { consents: t.list(Consent, PAGE), total: t.whole(0) })

export const Withdrawal = t.shape('ConsentWithdrawal', { reason: t.text(1, 1000) })

export const InPersonInput = t.shape('ConsentInPerson', {
  consentDocument: t.id(),
  witness: t.withDescription('The full name of the witness, who is there while the person signs.', t.oneLine(2, 200)),
  present: t.maybe(t.withDescription('The full names of others who are there.', t.list(t.oneLine(2, 200), 10))),
})
export const InPersonSession = t.shape('ConsentInPersonStarted', {
  token: t.text(43, 43),
  url: t.withDescription('Opens the form on this device.', t.text(1, 1000)),
  expiresAt: t.instant(),
})

export const PendingCodes = t.shape('ConsentPendingCodes', {
  codes: t.list(
    t.shape('ConsentPendingCode', {
      method: method(),
      address: own('Where it was sent'),
      code: t.maybe(t.personal(t.text(6, 6))),
      createdAt: t.instant(),
      expiresAt: t.instant(),
      triesLeft: t.whole(0, 5),
    }),
    CODES_PAGE,
  ),
  next: nextCodesField(),
})

export const NewCode = t.shape('ConsentNewCode', {
  signInCode: t.maybe(
    t.personal(t.withDescription('Read it to the person if the message does not arrive.', t.text(9, 9))),
  ),
})

export const StatusQuery = t.shape({
  consentDocument: t.id(),
  after: t.maybe(t.withDescription('`next` of the page before', t.id())),
})

const ParticipantStatus = t.shape('ConsentStatus', {
  participant: t.id(),
  participantId: t.oneLine(1, 50),
  consent: t.withDescription('The newest consent that is not withdrawn.', t.orNull(t.id())),
  version: t.orNull(t.whole(1)),
  signedAt: t.orNull(t.instant()),
  status: t.withDescription(
    'missing: has not signed. outdated: is to sign a newer version.',
    t.oneOf('missing', 'outdated', 'signed'),
  ),
})

export const Statuses = t.shape('ConsentStatuses', {
  participants: t.list(ParticipantStatus, 100),
  next: t.withDescription('For the next page; null on the last.', t.orNull(t.id())),
})
