/** The page of a form behind a link. */
export { StagePage } from './stagePage'
