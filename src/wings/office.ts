/** All operations of the wing `office`. */

import { communicationOperations } from '#office/communication/operations'
import { delegationOperations } from '#office/delegation/operations'
import { enrolmentOperations } from '#office/enrolment/operations'
import { fileOperations } from '#office/files/operations'
import { fileVersionOperations } from '#office/files/versionOperations'
import { monitoringOperations } from '#office/monitoring/operations'
import { packAssignmentOperations } from '#office/packAssignments/operations'
import { bulkPackOperations } from '#office/packs/bulkOperations'
import { packEventOperations } from '#office/packs/eventOperations'
import { packOperations } from '#office/packs/operations'
import { packTypeOperations } from '#office/packTypes/operations'
import { siteIssueOperations } from '#office/siteIssues/operations'
import { siteMessageErasureOperations } from '#office/siteMessages/erasure'
import { siteMessageOperations } from '#office/siteMessages/operations'
import { trainingOperations } from '#office/training/operations'

export const officeOperations = [
  ...communicationOperations,
  ...monitoringOperations,
  ...siteIssueOperations,
  ...delegationOperations,
  ...trainingOperations,
  ...enrolmentOperations,
  ...fileOperations,
  ...fileVersionOperations,
  ...packTypeOperations,
  ...packOperations,
  ...bulkPackOperations,
  ...packEventOperations,
  ...packAssignmentOperations,
  ...siteMessageOperations,
  ...siteMessageErasureOperations,
] as const
