/** The page behind the link of an approver. */
export { ReviewPage } from './page'
