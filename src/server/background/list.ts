import { askingEndpoint } from '#conduct/queries/automatic/endpoint'
import { isBehind, raiseAutomatic } from '#conduct/queries/automatic/raise'
import { handOverNotifications } from '#conduct/responses/notifications'
import { refreshDue } from '#conduct/timeline/progress'
import { configurationSweep } from '#conduct/timeline/recalculation'
import { sendReminders } from '#conduct/timeline/reminding'
import type { Services } from '#http/services'
import type { Courier } from '#outbox/sending'
import type { Due } from './background'
import {
  endedFiles,
  endedLinks,
  endedSessions,
  endedStageTokens,
  forgottenExports,
  forgottenUploads,
  oldRepeats,
} from './removal'

/** Participants per commit. */
const PAGE = 50

/** Sends messages in parallel to the other tasks: a slow mail or SMS server must not delay them. */
export const sendMessages = ({ begin }: Courier): Due => ({
  name: 'messages',
  every: 1,
  run: async () => {
    begin()
    return false
  },
})

/** All background tasks, in the order in which they run. */
export function dueWork(services: Services): readonly Due[] {
  const { db } = services
  const sweep = configurationSweep(db)
  return [
    {
      name: 'progress',
      every: 1,
      run: async ({ commit }, now) => (await commit(() => refreshDue(db, now, PAGE))) === PAGE,
    },
    {
      name: 'progress after a change of configuration',
      every: 1,
      run: ({ commit }, now) => commit(() => sweep(now)),
    },
    {
      name: 'reminders and notices',
      every: 1,
      run: async ({ commit }, now) => (await commit(() => sendReminders(db, now, PAGE))) === PAGE,
    },
    {
      name: 'notifications after submissions',
      every: 1,
      run: async ({ commit }, now) => (await commit(() => handOverNotifications(db, now, PAGE))) === PAGE,
    },
    {
      name: 'automatic queries',
      every: 5,
      run: async ({ commit }, now) => isBehind(db) && (await commit(() => raiseAutomatic(db, now, 25))),
    },
    { name: 'automatic queries by the AI endpoint', every: 5, run: askingEndpoint(services) },
    forgottenUploads,
    forgottenExports,
    endedFiles,
    oldRepeats,
    endedSessions,
    endedLinks,
    endedStageTokens,
  ]
}
