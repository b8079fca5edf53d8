/** The server on one screen: every feature's operations in one list. */
import { groupMembershipOperations } from './features/groups/memberships'
import { groupOperations } from './features/groups/operations'
import { healthOperations } from './features/health/operations'
import { participantSessionOperations } from './features/participantSessions/operations'
import { participantOperations } from './features/participants/operations'
import { siteOperations } from './features/sites/operations'
import type { AnyOperation } from './http/operation'

export const operations: readonly AnyOperation[] = [
  ...healthOperations,
  ...groupOperations,
  ...groupMembershipOperations,
  ...siteOperations,
  ...participantOperations,
  ...participantSessionOperations,
]
