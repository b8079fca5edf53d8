/** The server on one screen: every feature's operations in one list. */
import { groupOperations } from './features/groups/operations'
import { healthOperations } from './features/health/operations'
import { logOperations } from './features/logs/operations'
import { trialOperations } from './features/trials/operations'
import type { AnyOperation } from './http/operation'

export const operations: readonly AnyOperation[] = [
  ...healthOperations,
  ...trialOperations,
  ...logOperations,
  ...groupOperations,
]
