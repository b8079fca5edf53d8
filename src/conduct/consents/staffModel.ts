/** Consents on the wire, as staff see them (docs/consent.md, "Consents"). */

import { CODES_PAGE, nextCodesField } from '#conduct/contactCodes/pages'
import { withdrawalChoices } from '#design/trials/settingsModel'
import {
  flag,
  id,
  instant,
  keyed,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  personal,
  shape,
  text,
  textWithSpaces,
  whole,
  withDescription,
} from '#wire/schema'
import { method } from './model'

/** The most consents on a page. */
export const PAGE = 30

const own = (description: string, most = 200) => maybe(personal(withDescription(description, orNull(text(0, most)))))

export const Consent = shape('Consent', {
  _id: id(),
  createdAt: withDescription('When it was signed.', instant()),
  trial: id(),
  consentDocument: withDescription('The form.', id()),
  formKey: text(1, 50),
  formName: text(0, 200),
  version: withDescription('The version of the form that was signed.', whole(1)),
  isOutdated: withDescription(
    'The form asks for a signature on a newer version, and the participant has not signed it.',
    flag(),
  ),
  participant: withDescription('Null until the first sign-in with the code.', orNull(id())),
  participantId: orNull(oneLine(1, 50)),
  sites: list(id()),
  groups: list(id()),
  startedBy: withDescription('In person: the member of staff who started the session.', orNull(id())),
  witness: own('In person: the name of the witness.'),
  present: maybe(personal(withDescription('In person: others who were there.', orNull(list(text(0, 200), 10))))),
  fullName: own('This field, the three below, the files and initials need the permission to see personal information.'),
  email: own('Verified'),
  phone: own('Verified'),
  whatsapp: own('Verified'),
  consentGiven: flag(),
  trialConditionsConsentGiven: withDescription('All statements that are not optional were confirmed.', flag()),
  eligibilityCriteriaConfirmed: withDescription('Null if the form had none.', orNull(flag())),
  conditionConfirmations: withDescription(
    'By the `id` of a statement.',
    keyed(shape({ confirmed: flag(), initials: own('The initials that were given') })),
  ),
  signatureMethod: oneOf('drawn', 'typed'),
  file: own('Downloads the signed PDF, for an hour', 5000),
  fileHash: withDescription('The SHA-256 of the signed PDF.', text(64, 64)),
  photo: own('Downloads the photo of an identity document, for an hour', 5000),
  screeningResponses: withDescription('The responses to the form that followed.', list(id(), 1000)),
  sessionEvents: list(
    shape('ConsentEvent', { createdAt: instant(), type: text(1, 50), page: orNull(text(1, 50)) }),
    1000,
  ),
  hasSignInCode: withDescription('A code for the first sign-in is still good.', flag()),
  withdrawnAt: orNull(instant()),
  withdrawnBy: withDescription('Null if the person withdrew it themselves.', orNull(id())),
  withdrawalReason: own('Why', 1000),
  withdrawalChoice: withDescription(
    'What the person chose for their data when they withdrew.',
    orNull(oneOf(...withdrawalChoices)),
  ),
  requiresCountersignature: flag(),
  countersignedAt: orNull(instant()),
  countersignedBy: orNull(id()),
  countersignerName: orNull(text(0, 1000)),
  countersignedFile: own('Downloads the page with the countersignature, for an hour', 5000),
  countersignedHash: orNull(text(64, 64)),
  erasedAt: withDescription(
    'When what is personal was erased, with the documents, of somebody who never became a participant.',
    orNull(instant()),
  ),
})

export const ConsentQuery = shape({
  page: maybe(whole(1, 1_000_000)),
  query: maybe(personal(withDescription('A part of an e-mail address or telephone number', textWithSpaces(1, 200)))),
  consentDocument: maybe(id()),
})
export const Consents = shape('Consents', { consents: list(Consent, PAGE), total: whole(0) })

export const Withdrawal = shape('ConsentWithdrawal', { reason: text(1, 1000) })

export const InPersonInput = shape('ConsentInPerson', {
  consentDocument: id(),
  witness: withDescription('The full name of the witness, who is there while the person signs.', oneLine(2, 200)),
  present: maybe(withDescription('The full names of others who are there.', list(oneLine(2, 200), 10))),
})
export const InPersonSession = shape('ConsentInPersonStarted', {
  token: text(43, 43),
  url: withDescription('Opens the form on this device.', text(1, 1000)),
  expiresAt: instant(),
})

export const PendingCodes = shape('ConsentPendingCodes', {
  codes: list(
    shape('ConsentPendingCode', {
      method: method(),
      address: own('Where it was sent'),
      code: maybe(personal(text(6, 6))),
      createdAt: instant(),
      expiresAt: instant(),
      triesLeft: whole(0, 5),
    }),
    CODES_PAGE,
  ),
  next: nextCodesField(),
})

export const NewCode = shape('ConsentNewCode', {
  signInCode: maybe(personal(withDescription('Read it to the person if the message does not arrive.', text(9, 9)))),
})

export const StatusQuery = shape({
  consentDocument: id(),
  after: maybe(withDescription('`next` of the page before', id())),
})

const ParticipantStatus = shape('ConsentStatus', {
  participant: id(),
  participantId: oneLine(1, 50),
  consent: withDescription('The newest consent that is not withdrawn.', orNull(id())),
  version: orNull(whole(1)),
  signedAt: orNull(instant()),
  status: withDescription(
    'missing: has not signed. outdated: is to sign a newer version.',
    oneOf('missing', 'outdated', 'signed'),
  ),
})

export const Statuses = shape('ConsentStatuses', {
  participants: list(ParticipantStatus, 100),
  next: withDescription('For the next page; null on the last.', orNull(id())),
})
