/** The server on one screen: every feature's operations in one list. */
import { groupOperations } from './features/groups/operations'
import { healthOperations } from './features/health/operations'
import { jobOperations } from './features/jobs/operations'
import { exportOperations } from './features/responses/exports/operations'
import { uploadOperations } from './features/uploads/operations'
import type { AnyOperation } from './http/operation'

export const operations: readonly AnyOperation[] = [
  ...healthOperations,
  ...groupOperations,
  ...uploadOperations,
  ...jobOperations,
  ...exportOperations,
]
