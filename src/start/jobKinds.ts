/** All kinds of jobs. A kind that is not in this list never runs. Each is loaded when a job of it is first performed. */
import type { KindEntry } from '#jobs/kind'

export const jobKinds: ReadonlyMap<string, KindEntry> = new Map<string, KindEntry>([
  [
    'askForQueries',
    { lane: 'queries', load: async () => (await import('#conduct/queries/automatic/job')).askForQueries },
  ],
  [
    'describeInsights',
    { lane: 'queries', load: async () => (await import('#office/insights/texts/job')).describeInsights },
  ],
  [
    'computeInsights',
    { lane: 'exports', load: async () => (await import('#office/insights/trial/job')).computeInsights },
  ],
  ['exportForm', { lane: 'exports', load: async () => (await import('#exchange/crf/job')).exportForm }],
  [
    'exportConsents',
    { lane: 'exports', load: async () => (await import('#exchange/consentExports/job')).exportConsents },
  ],
  [
    'exportParticipants',
    { lane: 'exports', load: async () => (await import('#conduct/participants/listExport/job')).exportParticipants },
  ],
  [
    'exportResponses',
    { lane: 'exports', load: async () => (await import('#exchange/exports/work/job')).exportResponses },
  ],
  ['exportPacks', { lane: 'exports', load: async () => (await import('#office/packs/records/job')).exportPacks }],
  [
    'exportPackAccount',
    { lane: 'exports', load: async () => (await import('#office/packs/records/job')).exportPackAccount },
  ],
  ['exportStructure', { lane: 'exports', load: async () => (await import('#exchange/imports/job')).exportStructure }],
  [
    'exportTranslations',
    { lane: 'exports', load: async () => (await import('#exchange/translations/job')).exportTranslations },
  ],
  [
    'readTranslations',
    { lane: 'imports', load: async () => (await import('#exchange/translations/job')).readTranslations },
  ],
  ['fileRemoval', { lane: 'background', load: async () => (await import('#jobs/fileRemoval')).fileRemoval }],
  [
    'hashPasswords',
    { lane: 'background', load: async () => (await import('#conduct/participants/pendingPasswords')).hashPasswords },
  ],
  [
    'hardwareArchive',
    { lane: 'exports', load: async () => (await import('#exchange/hardwareArchive/job')).hardwareArchive },
  ],
  ['importInstrument', { lane: 'imports', load: async () => (await import('#exchange/imports/job')).importInstrument }],
  [
    'notifyParticipants',
    { lane: 'background', load: async () => (await import('#conduct/notifications/job')).notifyParticipants },
  ],
  [
    'personalReport',
    { lane: 'exports', load: async () => (await import('#exchange/personalData/job')).personalReport },
  ],
  [
    'readHardwareFile',
    { lane: 'imports', load: async () => (await import('#conduct/wearables/imports/job')).readHardwareFile },
  ],
  ['readFileTexts', { lane: 'imports', load: async () => (await import('#office/files/texts/job')).readFileTexts }],
  ['readPackCsv', { lane: 'imports', load: async () => (await import('#office/packs/records/job')).readPackCsv }],
  ['previewFile', { lane: 'imports', load: async () => (await import('#office/files/previews/job')).previewFile }],
  ['readProtocol', { lane: 'generation', load: async () => (await import('#exchange/generation/job')).readProtocol }],
  [
    'masterFileReport',
    { lane: 'exports', load: async () => (await import('#office/masterFile/job')).masterFileReport },
  ],
  [
    'masterFileArchive',
    { lane: 'exports', load: async () => (await import('#office/masterFile/job')).masterFileArchive },
  ],
  ['siteReport', { lane: 'exports', load: async () => (await import('#office/monitoring/reports/job')).siteReport }],
  ['signConsent', { lane: 'exports', load: async () => (await import('#conduct/consents/signing/job')).signConsent }],
  [
    'countersignConsent',
    { lane: 'exports', load: async () => (await import('#conduct/consents/signing/job')).countersignConsent },
  ],
  ['studyRecord', { lane: 'exports', load: async () => (await import('#exchange/studyRecord/job')).studyRecord }],
  ['timelines', { lane: 'background', load: async () => (await import('#conduct/timeline/job')).timelinesJob }],
])
