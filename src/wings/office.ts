/** All operations of the wing `office`. */

import { allocationOperations } from '#office/allocations/operations'
import { centralMonitoringOperations } from '#office/centralMonitoring/operations'
import { communicationOperations } from '#office/communication/operations'
import { dashboardOperations } from '#office/dashboard/operations'
import { delegationOperations } from '#office/delegation/operations'
import { dispensationOperations } from '#office/dispensations/operations'
import { enrolmentOperations } from '#office/enrolment/operations'
import { fileApprovalOperations } from '#office/fileApprovals/operations'
import { fileReviewOperations } from '#office/fileApprovals/reviewOperations'
import { fileChecklistOperations } from '#office/fileChecklist/operations'
import { fileOperations } from '#office/files/operations'
import { fileVersionOperations } from '#office/files/versionOperations'
import { incentiveBrandOperations } from '#office/incentiveBrands/operations'
import { incentiveRuleOperations } from '#office/incentiveRules/operations'
import { incentiveOperations } from '#office/incentives/operations'
import { ownIncentiveOperations } from '#office/incentives/ownOperations'
import { reversalOperations } from '#office/incentives/reversalOperations'
import { insightOperations } from '#office/insights/operations'
import { monitoringOperations } from '#office/monitoring/operations'
import { packAssignmentOperations } from '#office/packAssignments/operations'
import { bulkPackOperations } from '#office/packs/bulkOperations'
import { packEventOperations } from '#office/packs/eventOperations'
import { packOperations } from '#office/packs/operations'
import { packTypeOperations } from '#office/packTypes/operations'
import { randomisationOperations } from '#office/randomisation/operations'
import { randomisationStateOperations } from '#office/randomisation/stateOperations'
import { siteIssueOperations } from '#office/siteIssues/operations'
import { siteMessageErasureOperations } from '#office/siteMessages/erasure'
import { siteMessageOperations } from '#office/siteMessages/operations'
import { trainingOperations } from '#office/training/operations'
import { trialInsightOperations } from '#office/trialInsights/operations'
import { walletOperations } from '#office/wallet/operations'
import { webhookDeliveryOperations } from '#office/webhookDeliveries/operations'
import { webhookOperations } from '#office/webhooks/operations'

export const officeOperations = [
  ...communicationOperations,
  ...monitoringOperations,
  ...siteIssueOperations,
  ...delegationOperations,
  ...trainingOperations,
  ...enrolmentOperations,
  ...insightOperations,
  ...dashboardOperations,
  ...trialInsightOperations,
  ...centralMonitoringOperations,
  ...fileOperations,
  ...fileVersionOperations,
  ...fileChecklistOperations,
  ...fileApprovalOperations,
  ...fileReviewOperations,
  ...packTypeOperations,
  ...packOperations,
  ...bulkPackOperations,
  ...packEventOperations,
  ...packAssignmentOperations,
  ...randomisationOperations,
  ...randomisationStateOperations,
  ...allocationOperations,
  ...dispensationOperations,
  ...siteMessageOperations,
  ...siteMessageErasureOperations,
  ...webhookOperations,
  ...webhookDeliveryOperations,
  ...walletOperations,
  ...incentiveBrandOperations,
  ...incentiveOperations,
  ...ownIncentiveOperations,
  ...reversalOperations,
  ...incentiveRuleOperations,
] as const
