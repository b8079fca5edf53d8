/** All operations of the wing `office`. */

import { communicationOperations } from '#office/communication/operations'
import { fileOperations } from '#office/files/operations'
import { fileVersionOperations } from '#office/files/versionOperations'
import { siteMessageErasureOperations } from '#office/siteMessages/erasure'
import { siteMessageOperations } from '#office/siteMessages/operations'

export const officeOperations = [
  ...communicationOperations,
  ...fileOperations,
  ...fileVersionOperations,
  ...siteMessageOperations,
  ...siteMessageErasureOperations,
] as const
