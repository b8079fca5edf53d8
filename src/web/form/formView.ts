/** The form itself, for pages behind links: without what the app keeps on the device. */
export { FormView } from './view'
