import { isBehind, raiseAutomatic } from '../features/queries/automatic/raise'
import { configurationSweep, refreshDue } from '../features/timeline/progress'
import type { House } from '../house'
import type { Due } from './schedule'
import { endedFiles, endedLinks, endedSessions, forgottenUploads, oldRepeats } from './sweeping'

/** Participants a commit. */
const PAGE = 50

/** Everything that falls due by itself, in the order it is done. */
export function dueWork({ db }: House): readonly Due[] {
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
      run: ({ commit }, now) => commit(() => sweep(now, PAGE)),
    },
    {
      name: 'automatic queries',
      every: 5,
      run: async ({ commit }, now) => isBehind(db) && (await commit(() => raiseAutomatic(db, now, 25))),
    },
    forgottenUploads,
    endedFiles,
    oldRepeats,
    endedSessions,
    endedLinks,
  ]
}
