/** The server on one screen: every feature's operations in one list. */
import { anchorOperations } from './features/anchors/operations'
import { communicationOperations } from './features/communication/operations'
import { configurationVersionOperations } from './features/configurationVersions/operations'
import { dataTypeOperations } from './features/dataTypes/operations'
import { groupMembershipOperations } from './features/groups/memberships'
import { groupOperations } from './features/groups/operations'
import { healthOperations } from './features/health/operations'
import { structureOperations } from './features/imports/operations'
import { jobOperations } from './features/jobs/operations'
import { logOperations } from './features/logs/operations'
import { participantSessionOperations } from './features/participantSessions/operations'
import { participantOperations } from './features/participants/operations'
import { queryOperations } from './features/queries/operations'
import { questionnaireOperations } from './features/questionnaires/operations'
import { allocationOperations } from './features/responses/allocationOperations'
import { exportOperations } from './features/responses/exports/operations'
import { responseOperations } from './features/responses/operations'
import { ownResponseOperations } from './features/responses/participantOperations'
import { reviewOperations } from './features/responses/reviewOperations'
import { roleOperations } from './features/roles/operations'
import { peopleOperations } from './features/roles/peopleOperations'
import { sessionOperations } from './features/sessions/operations'
import { signatureOperations } from './features/signatures/operations'
import { siteOperations } from './features/sites/operations'
import { stageGroupOperations } from './features/stageGroups/operations'
import { stageOperations } from './features/stages/operations'
import { stageTokenOperations } from './features/stageTokens/operations'
import { studyRecordOperations } from './features/studyRecord/operations'
import { laneOperations } from './features/tasks/laneOperations'
import { taskOperations } from './features/tasks/operations'
import { teamOperations } from './features/teams/operations'
import { timelineOperations } from './features/timeline/operations'
import { trialOperations } from './features/trials/operations'
import { uploadOperations } from './features/uploads/operations'
import { userOperations } from './features/users/operations'
import { setupOperations } from './features/users/setupOperations'
import { totpOperations } from './features/users/totpOperations'
import type { AnyOperation } from './http/operation'

export const operations: readonly AnyOperation[] = [
  ...healthOperations,
  ...groupOperations,
  ...timelineOperations,
  ...responseOperations,
  ...reviewOperations,
  ...allocationOperations,
  ...signatureOperations,
  ...queryOperations,
  ...taskOperations,
  ...laneOperations,
  ...ownResponseOperations,
  ...trialOperations,
  ...configurationVersionOperations,
  ...studyRecordOperations,
  ...logOperations,
  ...communicationOperations,
  ...dataTypeOperations,
  ...stageOperations,
  ...structureOperations,
  ...questionnaireOperations,
  ...stageGroupOperations,
  ...stageTokenOperations,
  ...anchorOperations,
  ...groupMembershipOperations,
  ...siteOperations,
  ...participantOperations,
  ...participantSessionOperations,
  ...userOperations,
  ...totpOperations,
  ...sessionOperations,
  ...setupOperations,
  ...teamOperations,
  ...roleOperations,
  ...peopleOperations,
  ...uploadOperations,
  ...jobOperations,
  ...exportOperations,
]
