/** All operations of the wing `exchange`. */

import { consentExportOperations } from '#exchange/consentExports/operations'
import { countersigningOperations } from '#exchange/consentRecords/countersignOperations'
import { consentGivingOperations } from '#exchange/consentRecords/giveOperations'
import { consentWithdrawalOperations } from '#exchange/consentWithdrawals/ownOperations'
import { staffWithdrawalOperations } from '#exchange/consentWithdrawals/staffOperations'
import { deletionOperations } from '#exchange/deletions/operations'
import { trialDeletionOperations } from '#exchange/deletions/trialOperations'
import { exportDefinitionOperations } from '#exchange/exportDefinitions/operations'
import { exportOperations } from '#exchange/exports/operations'
import { fhirOperations } from '#exchange/fhir/operations'
import { fhirParticipantOperations } from '#exchange/fhir/participantOperations'
import { filePreviewOperations } from '#exchange/filePreviews/operations'
import { hardwareImportOperations } from '#exchange/hardwareImports/operations'
import { structureOperations } from '#exchange/imports/operations'
import { jobOperations } from '#exchange/jobs/operations'
import { logOperations } from '#exchange/logs/operations'
import { masterFileOperations } from '#exchange/masterFile/operations'
import { packRecordOperations } from '#exchange/packRecords/operations'
import { personalDataOperations } from '#exchange/personalData/operations'
import { readOperations } from '#exchange/reads/operations'
import { secondRequestOperations } from '#exchange/secondRequests/operations'
import { siteReportOperations } from '#exchange/siteReports/operations'
import { stageOperations } from '#exchange/stages/operations'
import { studyRecordOperations } from '#exchange/studyRecord/operations'
import { translationOperations } from '#exchange/translations/operations'
import { trialOperations } from '#exchange/trials/operations'
import { voucherCodeOperations } from '#exchange/voucherCodes/operations'

export const exchangeOperations = [
  ...trialOperations,
  ...deletionOperations,
  ...trialDeletionOperations,
  ...secondRequestOperations,
  ...consentExportOperations,
  ...consentGivingOperations,
  ...countersigningOperations,
  ...studyRecordOperations,
  ...logOperations,
  ...readOperations,
  ...personalDataOperations,
  ...siteReportOperations,
  ...stageOperations,
  ...structureOperations,
  ...translationOperations,
  ...packRecordOperations,
  ...voucherCodeOperations,
  ...hardwareImportOperations,
  ...staffWithdrawalOperations,
  ...consentWithdrawalOperations,
  ...jobOperations,
  ...exportOperations,
  ...exportDefinitionOperations,
  ...filePreviewOperations,
  ...fhirOperations,
  ...fhirParticipantOperations,
  ...masterFileOperations,
] as const
