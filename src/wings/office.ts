/** All operations of the wing `office`. */

import { communicationOperations } from '#office/communication/operations'

export const officeOperations = [...communicationOperations] as const
