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

/** Participants a commit. */
const PAGE = 50

/** Messages go out beside everything else: how long another server takes must hold nothing up here. */
export const sendMessages = ({ begin }: Courier): Due => ({
  name: 'messages',
  every: 1,
  run: async () => {
    begin()
    return false
  },
})

/** Everything that falls due by itself, in the order it is done. */
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
