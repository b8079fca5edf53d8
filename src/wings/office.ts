/** All operations of the wing `office`. */

import { communicationOperations } from '#office/communication/operations'
import { siteMessageErasureOperations } from '#office/siteMessages/erasure'
import { siteMessageOperations } from '#office/siteMessages/operations'

export const officeOperations = [
  ...communicationOperations,
  ...siteMessageOperations,
  ...siteMessageErasureOperations,
] as const
