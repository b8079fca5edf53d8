/** All operations of the wing `office`. */

import { communicationOperations } from '#office/communication/operations'
import { delegationOperations } from '#office/delegation/operations'
import { enrolmentOperations } from '#office/enrolment/operations'
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
  ...siteMessageOperations,
  ...siteMessageErasureOperations,
] as const
