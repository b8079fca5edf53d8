/** The server on one screen: every feature's operations in one list. */
import { groupOperations } from './features/groups/operations'
import { healthOperations } from './features/health/operations'
import { logOperations } from './features/logs/operations'
import { responseOperations } from './features/responses/operations'
import { ownResponseOperations } from './features/responses/participantOperations'
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
]
