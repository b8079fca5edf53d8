/** The texts of the catalogue for the values of fields. */
import type { masterFiles } from '#db/tables/index'
import type { Stage } from '#office/files/checklist/recordType'
import type { VersionStatus } from '#office/files/model'
import type { TextKey } from '#texts/catalogue'

type FileType = (typeof masterFiles.$inferSelect)['type']

export const TYPES = {
  protocol: 'fileType.protocol',
  amendments: 'fileType.amendments',
  crf: 'fileType.crf',
  contract: 'fileType.contract',
  correspondence: 'fileType.correspondence',
  cv: 'fileType.cv',
  ethics: 'fileType.ethics',
  financial: 'fileType.financial',
  hra: 'fileType.hra',
  laboratory: 'fileType.laboratory',
  legal: 'fileType.legal',
  managementDocumentation: 'fileType.managementDocumentation',
  monitoringAndAudit: 'fileType.monitoringAndAudit',
  participants: 'fileType.participants',
  plans: 'fileType.plans',
  regulatory: 'fileType.regulatory',
  reports: 'fileType.reports',
  researchAndDevelopment: 'fileType.researchAndDevelopment',
  sop: 'fileType.sop',
  staff: 'fileType.staff',
  workingInstruction: 'fileType.workingInstruction',
  draft: 'fileType.draft',
  other: 'fileType.other',
} as const satisfies Record<FileType, TextKey>

export const STAGES = {
  none: 'masterFileReport.stage.none',
  before: 'masterFileReport.stage.before',
  during: 'masterFileReport.stage.during',
  after: 'masterFileReport.stage.after',
} as const satisfies Record<Stage, TextKey>

export const STATUSES = {
  draft: 'masterFileReport.status.draft',
  approved: 'masterFileReport.status.approved',
  rejected: 'masterFileReport.status.rejected',
} as const satisfies Record<VersionStatus, TextKey>

export const REVIEWS = {
  approvedBy: 'masterFileReport.approvedBy',
  rejectedBy: 'masterFileReport.rejectedBy',
  undecided: 'masterFileReport.undecided',
} as const satisfies Record<string, TextKey>
