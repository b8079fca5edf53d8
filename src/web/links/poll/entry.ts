/** The pages with forms behind links. */

export { StagePage } from '../stage/stagePage'
export { PollPage } from './pollPage'
