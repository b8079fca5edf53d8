/** What is said of a consent that is missing, for the pages around forms. */
export { type ConsentNeeded, ConsentNotice } from './consentNotice'
