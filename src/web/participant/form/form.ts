/** The page of a form, for the pages around it. */
export { FormPage } from './page'
