/** The server on one screen: every feature's operations in one list. */
import { groupOperations } from './features/groups/operations'
import { healthOperations } from './features/health/operations'
import { sessionOperations } from './features/sessions/operations'
import { userOperations } from './features/users/operations'
import { totpOperations } from './features/users/totpOperations'
import type { AnyOperation } from './http/operation'

export const operations: readonly AnyOperation[] = [
  ...healthOperations,
  ...userOperations,
  ...totpOperations,
  ...sessionOperations,
  ...groupOperations,
]
