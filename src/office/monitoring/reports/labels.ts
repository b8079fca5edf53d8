/** The texts of the catalogue for the values of fields. */
import type { DelegatedTask, delegations, monitoringVisits, siteIssues } from '#db/tables/index'

type Visit = typeof monitoringVisits.$inferSelect
type Issue = typeof siteIssues.$inferSelect

export const CATEGORIES = { mv: 'siteReport.category.mv', ssv: 'siteReport.category.ssv' } as const satisfies Record<
  Visit['category'],
  string
>

export const PRIORITIES = {
  low: 'siteReport.priority.low',
  medium: 'siteReport.priority.medium',
  high: 'siteReport.priority.high',
} as const satisfies Record<NonNullable<Visit['priority']>, string>

export const SEVERITIES = {
  minor: 'siteReport.severity.minor',
  major: 'siteReport.severity.major',
  critical: 'siteReport.severity.critical',
} as const satisfies Record<NonNullable<Issue['severity']>, string>

export const ISSUES = {
  informedConsent: 'siteReport.issue.informedConsent',
  eSource: 'siteReport.issue.eSource',
  ePro: 'siteReport.issue.ePro',
} as const satisfies Record<NonNullable<Issue['category']>, string>

export const ROLES = {
  principalInvestigator: 'siteReport.role.principalInvestigator',
  subInvestigator: 'siteReport.role.subInvestigator',
  studyCoordinator: 'siteReport.role.studyCoordinator',
  studyNurse: 'siteReport.role.studyNurse',
  pharmacist: 'siteReport.role.pharmacist',
  laboratoryStaff: 'siteReport.role.laboratoryStaff',
  dataEntry: 'siteReport.role.dataEntry',
  other: 'siteReport.role.other',
} as const satisfies Record<(typeof delegations.$inferSelect)['role'], string>

/** Those that need no more words; `other` names the tasks. */
export const TASKS = {
  informedConsent: 'siteReport.task.informedConsent',
  eligibility: 'siteReport.task.eligibility',
  medicalHistory: 'siteReport.task.medicalHistory',
  physicalExamination: 'siteReport.task.physicalExamination',
  medicalDecisions: 'siteReport.task.medicalDecisions',
  adverseEvents: 'siteReport.task.adverseEvents',
  safetyReporting: 'siteReport.task.safetyReporting',
  sampleCollection: 'siteReport.task.sampleCollection',
  sampleProcessing: 'siteReport.task.sampleProcessing',
  studyAssessments: 'siteReport.task.studyAssessments',
  randomisation: 'siteReport.task.randomisation',
  unblinding: 'siteReport.task.unblinding',
  productDispensing: 'siteReport.task.productDispensing',
  productAdministration: 'siteReport.task.productAdministration',
  productAccountability: 'siteReport.task.productAccountability',
  sourceDocuments: 'siteReport.task.sourceDocuments',
  dataEntry: 'siteReport.task.dataEntry',
  queryResolution: 'siteReport.task.queryResolution',
  dataSignOff: 'siteReport.task.dataSignOff',
  essentialDocuments: 'siteReport.task.essentialDocuments',
} as const satisfies Record<Exclude<DelegatedTask, 'other'>, string>

export const STATES = {
  awaitingPerson: 'siteReport.state.awaitingPerson',
  awaitingInvestigator: 'siteReport.state.awaitingInvestigator',
  planned: 'siteReport.state.planned',
  active: 'siteReport.state.active',
  ended: 'siteReport.state.ended',
} as const

export const SIGNED_AS = {
  person: 'siteReport.signedAs.person',
  investigator: 'siteReport.signedAs.investigator',
} as const
