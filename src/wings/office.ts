/** All operations of the wing `office`. */

import { allocationOperations } from '#office/allocations/operations'
import { centralMonitoringOperations } from '#office/centralMonitoring/operations'
import { communicationOperations } from '#office/communication/operations'
import { dashboardOperations } from '#office/dashboard/operations'
import { delegationOperations } from '#office/delegation/operations'
import { dispensationOperations } from '#office/dispensations/operations'
import { enrolmentOperations } from '#office/enrolment/operations'
import { fileApprovalOperations } from '#office/files/approvals/operations'
import { fileReviewOperations } from '#office/files/approvals/reviewOperations'
import { fileChecklistOperations } from '#office/files/checklist/operations'
import { fileOperations } from '#office/files/operations'
import { filePreviewOperations } from '#office/files/previews/operations'
import { fileVersionOperations } from '#office/files/versions/operations'
import { incentiveBrandOperations } from '#office/incentives/brands/operations'
import { incentiveOperations } from '#office/incentives/operations'
import { ownIncentiveOperations } from '#office/incentives/ownOperations'
import { reversalOperations } from '#office/incentives/reversalOperations'
import { incentiveRuleOperations } from '#office/incentives/rules/operations'
import { voucherCodeOperations } from '#office/incentives/vouchers/operations'
import { walletOperations } from '#office/incentives/wallet/operations'
import { insightOperations } from '#office/insights/operations'
import { trialInsightOperations } from '#office/insights/trial/operations'
import { masterFileOperations } from '#office/masterFile/operations'
import { monitoringOperations } from '#office/monitoring/operations'
import { siteReportOperations } from '#office/monitoring/reports/operations'
import { packAssignmentOperations } from '#office/packs/assignments/operations'
import { bulkPackOperations } from '#office/packs/bulkOperations'
import { packEventOperations } from '#office/packs/eventOperations'
import { packOperations } from '#office/packs/operations'
import { packRecordOperations } from '#office/packs/records/operations'
import { packTypeOperations } from '#office/packs/types/operations'
import { randomisationOperations } from '#office/randomisation/operations'
import { randomisationStateOperations } from '#office/randomisation/stateOperations'
import { siteIssueOperations } from '#office/siteIssues/operations'
import { siteMessageErasureOperations } from '#office/siteMessages/erasure'
import { siteMessageOperations } from '#office/siteMessages/operations'
import { trainingOperations } from '#office/training/operations'
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
  ...filePreviewOperations,
  ...masterFileOperations,
  ...packRecordOperations,
  ...siteReportOperations,
  ...voucherCodeOperations,
] as const
