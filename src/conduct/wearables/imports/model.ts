import { withoutConsentReason } from '#conduct/consents/required'
import { joinShapes, oneOf, shape, text, withDescription } from '#wire/schema'
import { hardwareServices } from './task'

export { HardwareImport as HardwareImported } from '#conduct/wearables/model'

export const HardwareImport = shape('HardwareImportInput', {
  service: withDescription('Whose export the file is.', oneOf(...hardwareServices)),
  storedName: withDescription('The stored name of an upload for the participant.', text(1, 200)),
})

/** An import by staff. */
export const StaffHardwareImport = joinShapes(
  'StaffHardwareImportInput',
  HardwareImport,
  shape({ withoutConsentReason: withoutConsentReason() }),
)
