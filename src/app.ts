/** The server on one screen: every feature's operations in one list. */
import { groupOperations } from './features/groups/operations'
import { healthOperations } from './features/health/operations'
import { roleOperations } from './features/roles/operations'
import { peopleOperations } from './features/roles/peopleOperations'
import { sessionOperations } from './features/sessions/operations'
import { teamOperations } from './features/teams/operations'
import { userOperations } from './features/users/operations'
import { setupOperations } from './features/users/setupOperations'
import { totpOperations } from './features/users/totpOperations'
import type { AnyOperation } from './http/operation'

export const operations: readonly AnyOperation[] = [
  ...healthOperations,
  ...userOperations,
  ...totpOperations,
  ...sessionOperations,
  ...setupOperations,
  ...teamOperations,
  ...roleOperations,
  ...peopleOperations,
  ...groupOperations,
]
