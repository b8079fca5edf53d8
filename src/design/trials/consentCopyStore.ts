import type { Db } from '#db/open'
import { insert, rowsFrom } from '#db/rows'
import { consentFormVersions } from '#db/tables/index'
import { type Id, sha256 } from '#kernel/id'
import { canonicalJson } from '#kernel/json'
import type { Instant } from '#kernel/time'
import { replaceIds } from './rules'

/** Gives each copied consent form its first version: the newest content of the form that it was copied from. @param ids new by old */
export function copyConsentContents(
  db: Db,
  source: Id,
  ids: ReadonlyMap<Id, Id>,
  { now, user }: { now: Instant; user: Id },
): void {
  const newest = rowsFrom(
    db,
    consentFormVersions,
    'WHERE (form, number) IN (SELECT _id, version FROM consentForms WHERE trial = +$source)',
    { source },
  )
  for (const { form, content: original } of newest) {
    const content = replaceIds(original, ids)
    const copy = { form: ids.get(form) ?? form, number: 1, createdAt: now, createdBy: user }
    insert(db, consentFormVersions, { ...copy, content, hash: sha256(canonicalJson(content)) })
  }
}
