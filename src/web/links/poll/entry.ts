/** The page of a poll. */
export { PollPage } from './pollPage'
