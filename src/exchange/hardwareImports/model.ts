import { oneOf, shape, text, withDescription } from '#wire/words'
import { hardwareServices } from './task'

export { Kept as HardwareImported } from '#conduct/wearables/model'

export const HardwareImport = shape('HardwareImportInput', {
  service: withDescription('Whose export the file is.', oneOf(...hardwareServices)),
  storedName: withDescription('The stored name of an upload for the participant.', text(1, 200)),
})
