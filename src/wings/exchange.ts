/** All operations of the wing `exchange`. */

import { consentExportOperations } from '#exchange/consentExports/operations'
import { consentWithdrawalOperations } from '#exchange/consentWithdrawals/ownOperations'
import { staffWithdrawalOperations } from '#exchange/consentWithdrawals/staffOperations'
import { deletionOperations } from '#exchange/deletions/operations'
import { trialDeletionOperations } from '#exchange/deletions/trialOperations'
import { exportDefinitionOperations } from '#exchange/exportDefinitions/operations'
import { exportOperations } from '#exchange/exports/operations'
import { fhirOperations } from '#exchange/fhir/operations'
import { fhirParticipantOperations } from '#exchange/fhir/participantOperations'
import { hardwareImportOperations } from '#exchange/hardwareImports/operations'
import { structureOperations } from '#exchange/imports/operations'
import { logOperations } from '#exchange/logs/operations'
import { personalDataOperations } from '#exchange/personalData/operations'
import { readOperations } from '#exchange/reads/operations'
import { secondRequestOperations } from '#exchange/secondRequests/operations'
import { stageOperations } from '#exchange/stages/operations'
import { studyRecordOperations } from '#exchange/studyRecord/operations'
import { translationOperations } from '#exchange/translations/operations'
import { trialOperations } from '#exchange/trials/operations'

export const exchangeOperations = [
  ...trialOperations,
  ...deletionOperations,
  ...trialDeletionOperations,
  ...secondRequestOperations,
  ...consentExportOperations,
  ...studyRecordOperations,
  ...logOperations,
  ...readOperations,
  ...personalDataOperations,
  ...stageOperations,
  ...structureOperations,
  ...translationOperations,
  ...hardwareImportOperations,
  ...staffWithdrawalOperations,
  ...consentWithdrawalOperations,
  ...exportOperations,
  ...exportDefinitionOperations,
  ...fhirOperations,
  ...fhirParticipantOperations,
] as const
