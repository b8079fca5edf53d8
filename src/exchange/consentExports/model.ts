/** Exports of consents on the wire (docs/consent.md, "Exports"). */
import * as t from '#wire/schema'

export const consentDatasets = ['consents', 'statements', 'course', 'statuses'] as const
export type ConsentDataset = (typeof consentDatasets)[number]

export const ConsentExportQuery = t.shape({
  type: t.maybe(
    t.withDescription(
      'The default is json, which has all datasets. excel has a sheet for each.',
      t.oneOf('csv', 'excel', 'json'),
    ),
  ),
  dataset: t.maybe(
    t.withDescription(
      'For csv. consents, the default: a row for each. statements: a row for each statement of each consent. course: what happened in each session, with the attempts at the quiz. statuses: who signed, and who still has to.',
      t.oneOf(...consentDatasets),
    ),
  ),
  consentDocument: t.maybe(t.withDescription('Of this form only.', t.id())),
  sites: t.maybe(
    t.withDescription('Of participants of any of these sites: _ids, separated by commas.', t.text(1, 30_000)),
  ),
  groups: t.maybe(
    t.withDescription('Of participants of any of these groups: _ids, separated by commas.', t.text(1, 30_000)),
  ),
  escape: t.maybe(
    t.withDescription(
      'For csv. spreadsheet, the default: an apostrophe before text that a spreadsheet would compute. none: text as it is, for programs.',
      t.oneOf('spreadsheet', 'none'),
    ),
  ),
})
export type ConsentExportQuery = t.ValueOf<typeof ConsentExportQuery>

const someText = (most = 1000) => t.orNull(t.text(0, most))
const personalText = (most?: number) =>
  t.maybe(t.withDescription('Only for readers who may see personal information.', someText(most)))

const formFields = { consentDocument: t.id(), formKey: t.text(1, 50), formName: someText(200) }
const participantFields = {
  participant: t.orNull(t.id()),
  participantId: t.orNull(t.text(1, 50)),
  sites: t.list(t.text(0, 1000)),
  groups: t.list(t.text(0, 1000)),
}

const ExportedConsent = t.shape('ExportedConsent', {
  _id: t.id(),
  ...formFields,
  version: t.whole(1),
  versionHash: t.withDescription('The SHA-256 of the version of the form.', t.text(64, 64)),
  ...participantFields,
  status: t.oneOf('signed', 'outdated', 'withdrawn'),
  signedAt: t.instant(),
  joinedAt: t.withDescription('When it came to belong to the participant.', t.orNull(t.instant())),
  startedBy: t.withDescription('In person: who opened the form.', someText()),
  fullName: personalText(),
  verifications: t.list(
    t.shape('ExportedVerification', {
      method: t.oneOf('email', 'phone', 'whatsapp'),
      verifiedAt: t.instant(),
      address: personalText(),
    }),
  ),
  eligibilityConfirmed: t.withDescription('Null if the form had no criteria.', t.orNull(t.flag())),
  hasPhoto: t.flag(),
  statements: t.list(
    t.shape('ExportedStatement', {
      id: t.text(1, 50),
      title: t.text(0, 500),
      isOptional: t.flag(),
      isConfirmed: t.flag(),
      requiresInitials: t.flag(),
      initials: personalText(),
    }),
  ),
  quiz: t.withDescription(
    'Each attempt. `answers` are for readers of consent forms only, as they show which are right.',
    t.list(
      t.shape('ExportedQuizAttempt', {
        at: t.instant(),
        hasPassed: t.flag(),
        answers: t.maybe(t.list(t.whole(0, 9), 20)),
      }),
      1000,
    ),
  ),
  course: t.list(
    t.shape('ExportedConsentEvent', {
      number: t.whole(1),
      at: t.instant(),
      type: t.text(1, 50),
      page: someText(50),
      method: someText(50),
    }),
    2000,
  ),
  signatureMethod: t.oneOf('drawn', 'typed'),
  fileHash: t.withDescription('The SHA-256 of the signed PDF.', t.text(64, 64)),
  requiresCountersignature: t.flag(),
  countersignedAt: t.orNull(t.instant()),
  countersignedBy: someText(),
  countersignedHash: t.orNull(t.text(64, 64)),
  withdrawnAt: t.orNull(t.instant()),
  withdrawnBy: t.withDescription('`participant` if the person withdrew it themselves.', someText()),
  withdrawalReason: personalText(),
})

const ExportedStatus = t.shape('ExportedConsentStatus', {
  ...formFields,
  participant: t.id(),
  participantId: t.text(1, 50),
  sites: participantFields.sites,
  groups: participantFields.groups,
  status: t.oneOf('missing', 'outdated', 'signed'),
  version: t.orNull(t.whole(1)),
  newestVersion: t.whole(1),
  consent: t.orNull(t.id()),
  signedAt: t.orNull(t.instant()),
})

export const ConsentCsv = t.shape('ConsentCsv', { csv: t.text(0, Number.MAX_SAFE_INTEGER) })
export const ConsentFile = t.shape('ConsentFile', {
  request: t.withDescription('A link to the workbook, for an hour.', t.text(1, 5000)),
})
export const ConsentJson = t.shape('ConsentJson', {
  consents: t.list(ExportedConsent, 100_000_000),
  statuses: t.list(ExportedStatus, 100_000_000),
})
