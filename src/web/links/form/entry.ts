/** The pages with forms behind links. */
export { PollPage } from './pollPage'
export { StagePage } from './stagePage'
