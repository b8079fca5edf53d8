/** All operations of the wing `office`. */

import { communicationOperations } from '#office/communication/operations'
import { packAssignmentOperations } from '#office/packAssignments/operations'
import { bulkPackOperations } from '#office/packs/bulkOperations'
import { packEventOperations } from '#office/packs/eventOperations'
import { packOperations } from '#office/packs/operations'
import { packTypeOperations } from '#office/packTypes/operations'
import { siteMessageErasureOperations } from '#office/siteMessages/erasure'
import { siteMessageOperations } from '#office/siteMessages/operations'

export const officeOperations = [
  ...communicationOperations,
  ...packTypeOperations,
  ...packOperations,
  ...bulkPackOperations,
  ...packEventOperations,
  ...packAssignmentOperations,
  ...siteMessageOperations,
  ...siteMessageErasureOperations,
] as const
