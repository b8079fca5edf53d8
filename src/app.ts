/** The server on one screen: every feature's operations in one list. */
import { anchorOperations } from './features/anchors/operations'
import { dataTypeOperations } from './features/dataTypes/operations'
import { groupOperations } from './features/groups/operations'
import { healthOperations } from './features/health/operations'
import { logOperations } from './features/logs/operations'
import { questionnaireOperations } from './features/questionnaires/operations'
import { responseOperations } from './features/responses/operations'
import { ownResponseOperations } from './features/responses/participantOperations'
import { stageGroupOperations } from './features/stageGroups/operations'
import { stageOperations } from './features/stages/operations'
import { timelineOperations } from './features/timeline/operations'
import { trialOperations } from './features/trials/operations'
import type { AnyOperation } from './http/operation'

export const operations: readonly AnyOperation[] = [
  ...healthOperations,
  ...groupOperations,
  ...timelineOperations,
  ...responseOperations,
  ...ownResponseOperations,
  ...trialOperations,
  ...logOperations,
  ...dataTypeOperations,
  ...stageOperations,
  ...questionnaireOperations,
  ...stageGroupOperations,
  ...anchorOperations,
]
