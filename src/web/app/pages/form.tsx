/** The page of a form. */
export { Page } from '../form/page'
