import { askingEndpoint } from '../features/queries/automatic/endpoint'
import { isBehind, raiseAutomatic } from '../features/queries/automatic/raise'
import { handOverNotifications } from '../features/responses/notifications'
import { refreshDue } from '../features/timeline/progress'
import { sendReminders } from '../features/timeline/reminding'
import { configurationSweep } from '../features/timeline/sweep'
import type { House } from '../house'
import type { Courier } from '../outbox/sending'
import type { Due } from './schedule'
import {
  endedFiles,
  endedLinks,
  endedSessions,
  endedStageTokens,
  forgottenExports,
  forgottenUploads,
  oldRepeats,
} from './sweeping'

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
export function dueWork(house: House): readonly Due[] {
  const { db } = house
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
    { name: 'automatic queries by the AI endpoint', every: 5, run: askingEndpoint(house) },
    forgottenUploads,
    forgottenExports,
    endedFiles,
    oldRepeats,
    endedSessions,
    endedLinks,
    endedStageTokens,
  ]
}
