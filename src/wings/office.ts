/** All operations of the wing `office`. */

import { communicationOperations } from '#office/communication/operations'
import { delegationOperations } from '#office/delegation/operations'
import { enrolmentOperations } from '#office/enrolment/operations'
import { fileOperations } from '#office/files/operations'
import { fileVersionOperations } from '#office/files/versionOperations'
import { monitoringOperations } from '#office/monitoring/operations'
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
  ...siteMessageOperations,
  ...siteMessageErasureOperations,
] as const
