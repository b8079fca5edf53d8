/** Exports of consents on the wire (docs/consent.md, "Exports"). */
import {
  flag,
  id,
  instant,
  list,
  maybe,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

export const consentDatasets = ['consents', 'statements', 'course', 'statuses'] as const
export type ConsentDataset = (typeof consentDatasets)[number]

export const ConsentExportQuery = shape({
  type: maybe(
    withDescription(
      'The default is json, which has all datasets. excel has a sheet for each.',
      oneOf('csv', 'excel', 'json'),
    ),
  ),
  dataset: maybe(
    withDescription(
      'For csv. consents, the default: a row for each. statements: a row for each statement of each consent. course: what happened in each session, with the attempts at the quiz. statuses: who signed, and who still has to.',
      oneOf(...consentDatasets),
    ),
  ),
  consentDocument: maybe(withDescription('Of this form only.', id())),
  sites: maybe(withDescription('Of participants of any of these sites: _ids, separated by commas.', text(1, 30_000))),
  groups: maybe(withDescription('Of participants of any of these groups: _ids, separated by commas.', text(1, 30_000))),
  escape: maybe(
    withDescription(
      'For csv. spreadsheet, the default: an apostrophe before text that a spreadsheet would compute. none: text as it is, for programs.',
      oneOf('spreadsheet', 'none'),
    ),
  ),
})
export type ConsentExportQuery = ValueOf<typeof ConsentExportQuery>

const someText = (most = 1000) => orNull(text(0, most))
const personalText = (most?: number) =>
  maybe(withDescription('Only for readers who may see personal information.', someText(most)))

const formFields = { consentDocument: id(), formKey: text(1, 50), formName: someText(200) }
const participantFields = {
  participant: orNull(id()),
  participantId: orNull(text(1, 50)),
  sites: list(text(0, 1000)),
  groups: list(text(0, 1000)),
}

const ExportedConsent = shape('ExportedConsent', {
  _id: id(),
  ...formFields,
  version: whole(1),
  versionHash: withDescription('The SHA-256 of the version of the form.', text(64, 64)),
  ...participantFields,
  status: oneOf('signed', 'outdated', 'withdrawn'),
  signedAt: instant(),
  joinedAt: withDescription('When it came to belong to the participant.', orNull(instant())),
  startedBy: withDescription('In person: who opened the form.', someText()),
  fullName: personalText(),
  verifications: list(
    shape('ExportedVerification', {
      method: oneOf('email', 'phone', 'whatsapp'),
      verifiedAt: instant(),
      address: personalText(),
    }),
  ),
  eligibilityConfirmed: withDescription('Null if the form had no criteria.', orNull(flag())),
  hasPhoto: flag(),
  statements: list(
    shape('ExportedStatement', {
      id: text(1, 50),
      title: text(0, 500),
      isOptional: flag(),
      isConfirmed: flag(),
      requiresInitials: flag(),
      initials: personalText(),
    }),
  ),
  quiz: withDescription(
    'Each attempt. `answers` are for readers of consent forms only, as they show which are right.',
    list(
      shape('ExportedQuizAttempt', { at: instant(), hasPassed: flag(), answers: maybe(list(whole(0, 9), 20)) }),
      1000,
    ),
  ),
  course: list(
    shape('ExportedConsentEvent', {
      number: whole(1),
      at: instant(),
      type: text(1, 50),
      page: someText(50),
      method: someText(50),
    }),
    2000,
  ),
  signatureMethod: oneOf('drawn', 'typed'),
  fileHash: withDescription('The SHA-256 of the signed PDF.', text(64, 64)),
  requiresCountersignature: flag(),
  countersignedAt: orNull(instant()),
  countersignedBy: someText(),
  countersignedHash: orNull(text(64, 64)),
  withdrawnAt: orNull(instant()),
  withdrawnBy: withDescription('`participant` if the person withdrew it themselves.', someText()),
  withdrawalReason: personalText(),
})

const ExportedStatus = shape('ExportedConsentStatus', {
  ...formFields,
  participant: id(),
  participantId: text(1, 50),
  sites: participantFields.sites,
  groups: participantFields.groups,
  status: oneOf('missing', 'outdated', 'signed'),
  version: orNull(whole(1)),
  newestVersion: whole(1),
  consent: orNull(id()),
  signedAt: orNull(instant()),
})

export const ConsentCsv = shape('ConsentCsv', { csv: text(0, Number.MAX_SAFE_INTEGER) })
export const ConsentFile = shape('ConsentFile', {
  request: withDescription('A link to the workbook, for an hour.', text(1, 5000)),
})
export const ConsentJson = shape('ConsentJson', {
  consents: list(ExportedConsent, 100_000_000),
  statuses: list(ExportedStatus, 100_000_000),
})
