/** All operations of the wing `office`. */

import { communicationOperations } from '#office/communication/operations'
import { fileOperations } from '#office/files/operations'
import { fileVersionOperations } from '#office/files/versionOperations'

export const officeOperations = [...communicationOperations, ...fileOperations, ...fileVersionOperations] as const
