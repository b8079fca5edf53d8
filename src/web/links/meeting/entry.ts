/** The page behind the link of a meeting. */
export { meetingPage } from './meetingPage'
