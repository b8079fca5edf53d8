/** Hides a trial that was deleted from everybody, and shows it again. Its rows stay where they are until it is purged. */
import type { Db } from '#db/open'
import { updateById } from '#db/rows'
import { trials } from '#db/tables/index'
import { cut } from '#kernel/text'
import type { Instant } from '#kernel/time'
import { type Trial, trialByCode } from './store'

/** Hides a trial: it gives no access, sends nothing, and its code is free. */
export const hideTrial = (db: Db, { _id }: Trial, deletedAt: Instant): Trial =>
  updateById(db, trials, _id, { deletedAt, isArchived: true, code: `deleted-${_id}` })

/** Shows a trial again as it was. If its code was taken meanwhile, it gets another. */
export function showTrial(
  db: Db,
  { _id }: Trial,
  { code, wasArchived }: { code: string; wasArchived: boolean },
): Trial {
  const short = cut(code, 25).trimEnd()
  const others = [code, `${short}-${_id.slice(-6)}`]
  const free = others.find((each) => !trialByCode(db, each)) ?? `${short}-${_id}`
  return updateById(db, trials, _id, { deletedAt: null, isArchived: wasArchived, code: free })
}
