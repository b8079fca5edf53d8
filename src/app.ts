/** The server on one screen: every feature's operations in one list. */
import { anchorOperations } from './features/anchors/operations'
import { dataTypeOperations } from './features/dataTypes/operations'
import { groupOperations } from './features/groups/operations'
import { healthOperations } from './features/health/operations'
import { stageGroupOperations } from './features/stageGroups/operations'
import { stageOperations } from './features/stages/operations'
import type { AnyOperation } from './http/operation'

export const operations: readonly AnyOperation[] = [
  ...healthOperations,
  ...groupOperations,
  ...dataTypeOperations,
  ...stageOperations,
  ...stageGroupOperations,
  ...anchorOperations,
]
