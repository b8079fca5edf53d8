import { type AskTask, askEndpoint } from '#conduct/queries/automatic/asking'
import type { Work } from '#jobs/work'

/** Has an AI endpoint look at what was submitted; the main thread raises what it remarks. */
export const askForQueries: Work = (task: AskTask, { db, ground }) => askEndpoint(db, ground.ai!, task)
