/** What is recorded about the sites themselves: monitoring visits and their issues, delegation, training, enrolment. */
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { bool, integer, json, key, moment, oneOf, primaryKey, table, text } from './columns'

/** What a site had reached at one moment. */
export type FiguresAtVisit = {
  enrolled: number
  fields: number
  verified: number
  /** Issues of all its visits that were not resolved. */
  openIssues: number
  at: Instant
}

export const monitoringVisits = table('monitoringVisits', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  site: text().notNull(),
  id: text().notNull(),
  /** The identifier in the form in which identifiers are compared. */
  folded: text().notNull(),
  category: oneOf('mv', 'ssv').notNull(),
  priority: oneOf('low', 'medium', 'high'),
  status: oneOf('pending', 'completed').notNull(),
  scheduledAt: moment(),
  completedAt: moment(),
  /** In minutes. */
  duration: integer(),
  assignees: json<Id[]>().notNull(),
  notes: text(),
  /** The figures of the site when the visit was completed; null while it is pending. */
  atCompletion: json<FiguresAtVisit>(),
}))

export const siteIssues = table('siteIssues', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  site: text().notNull(),
  visit: text().notNull(),
  name: text().notNull(),
  category: oneOf('informedConsent', 'eSource', 'ePro'),
  severity: oneOf('minor', 'major', 'critical'),
  status: oneOf('resolved', 'unresolved').notNull(),
  gcpNonCompliance: bool().notNull().default(false),
  protocolNonCompliance: bool().notNull().default(false),
  assignees: json<Id[]>().notNull(),
  resolvedAt: moment(),
  resolvedBy: text(),
}))

/** What a site has reached. Triggers keep it (src/db/triggers/sites.ts). */
export const siteFigures = table('siteFigures', () => ({
  site: key(),
  trial: text().notNull(),
  /** Participants of the site who are not archived. */
  enrolled: integer().notNull().default(0),
  /** Fields of their responses that have an entry. */
  fields: integer().notNull().default(0),
  /** Those of the fields that are verified. */
  verified: integer().notNull().default(0),
}))

export const siteEnrolment = table(
  'siteEnrolment',
  () => ({
    site: text().notNull(),
    /** Of the registration, `YYYY-MM`, in UTC. */
    month: text().notNull(),
    trial: text().notNull(),
    enrolled: integer().notNull().default(0),
  }),
  (row) => [primaryKey({ columns: [row.site, row.month] })],
)

export const siteTargets = table('siteTargets', () => ({
  site: key(),
  trial: text().notNull(),
  enrolmentTarget: integer().notNull(),
}))

export const siteVerifications = table(
  'siteVerifications',
  () => ({
    site: text().notNull(),
    /** Since 1970. */
    hour: integer().notNull(),
    trial: text().notNull(),
    /** Until the end of this hour. */
    verified: integer().notNull(),
  }),
  (row) => [primaryKey({ columns: [row.site, row.hour] })],
)

/** What may be delegated, in the words of ICH E6. */
export const delegatedTasks = [
  'informedConsent',
  'eligibility',
  'medicalHistory',
  'physicalExamination',
  'medicalDecisions',
  'adverseEvents',
  'safetyReporting',
  'sampleCollection',
  'sampleProcessing',
  'studyAssessments',
  'randomisation',
  'unblinding',
  'productDispensing',
  'productAdministration',
  'productAccountability',
  'sourceDocuments',
  'dataEntry',
  'queryResolution',
  'dataSignOff',
  'essentialDocuments',
  'other',
] as const
export type DelegatedTask = (typeof delegatedTasks)[number]

export const delegations = table('delegations', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  site: text().notNull(),
  user: text().notNull(),
  /** When the entry was made. */
  userName: text().notNull(),
  role: oneOf(
    'principalInvestigator',
    'subInvestigator',
    'studyCoordinator',
    'studyNurse',
    'pharmacist',
    'laboratoryStaff',
    'dataEntry',
    'other',
  ).notNull(),
  tasks: json<DelegatedTask[]>().notNull(),
  otherTasks: text(),
  startsOn: text().notNull(),
  endsOn: text(),
  endedAt: moment(),
  endedBy: text(),
  endReason: text(),
}))

export const delegationSignatures = table(
  'delegationSignatures',
  () => ({
    delegation: text().notNull(),
    signedAs: oneOf('person', 'investigator').notNull(),
    trial: text().notNull(),
    user: text().notNull(),
    userName: text().notNull(),
    signedAt: moment().notNull(),
    hash: text().notNull(),
  }),
  (row) => [primaryKey({ columns: [row.delegation, row.signedAs] })],
)

export const trainings = table('trainings', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  site: text().notNull(),
  user: text().notNull(),
  userName: text().notNull(),
  training: text().notNull(),
  provider: text(),
  trainedOn: text().notNull(),
  expiresOn: text(),
  /** The stored name of an upload for the site. */
  certificate: text(),
  struckAt: moment(),
  struckBy: text(),
  struckReason: text(),
}))
