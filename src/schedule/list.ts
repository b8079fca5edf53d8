import { configurationSweep, refreshDue } from '../features/timeline/progress'
import type { House } from '../house'
import type { Due } from './schedule'
import { endedFiles, endedLinks, endedSessions, forgottenExports, forgottenUploads, oldRepeats } from './sweeping'

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
    forgottenUploads,
    forgottenExports,
    endedFiles,
    oldRepeats,
    endedSessions,
    endedLinks,
  ]
}
