/** What a form says after it was sent, for the pages around it. */
export { PhoneLinks } from './calling'
export { UrgentMessage } from './covering'
export { FormMessages } from './told'
