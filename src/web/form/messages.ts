/** What a form says after it was sent, for the pages around it. */

export { FormMessages } from './formMessages'
export { PhoneLinks } from './phoneLinks'
export { UrgentMessage } from './urgentMessage'
