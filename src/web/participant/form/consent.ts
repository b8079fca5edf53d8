/** What is said of a consent that is missing, for the pages around forms. */
export { ConsentNotice } from './consentNotice'
