/** All operations of the wing `exchange`. */

import { consentExportOperations } from '#exchange/consentExports/operations'
import { deletionOperations } from '#exchange/deletions/operations'
import { trialDeletionOperations } from '#exchange/deletions/trialOperations'
import { exportDefinitionOperations } from '#exchange/exportDefinitions/operations'
import { exportOperations } from '#exchange/exports/operations'
import { fhirOperations } from '#exchange/fhir/operations'
import { fhirParticipantOperations } from '#exchange/fhir/participantOperations'
import { logOperations } from '#exchange/logs/operations'
import { readOperations } from '#exchange/reads/operations'
import { secondRequestOperations } from '#exchange/secondRequests/operations'

export const exchangeOperations = [
  ...deletionOperations,
  ...trialDeletionOperations,
  ...secondRequestOperations,
  ...consentExportOperations,
  ...logOperations,
  ...readOperations,
  ...exportOperations,
  ...exportDefinitionOperations,
  ...fhirOperations,
  ...fhirParticipantOperations,
] as const
