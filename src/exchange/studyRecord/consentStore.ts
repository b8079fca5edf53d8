/** The consents of a trial in pages: without those of archived participants, as every export. */
import type { ConsentRow } from '#conduct/consents/consentStore'
import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { consents } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

const PAGE = 100

/** The consents until that moment, oldest first. */
export function* consentsUntil(db: Db, trial: Id, until: Instant): Generator<ConsentRow> {
  for (let after = ''; ; ) {
    const rows = rowsFrom(
      db,
      consents,
      `WHERE trial = +$trial AND _id > $after AND createdAt <= $until
         AND NOT EXISTS (SELECT 1 FROM participants p WHERE p._id = consents.participant AND p.isArchived = 1)
       ORDER BY _id LIMIT +$most`,
      { trial, after, until, most: PAGE },
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last._id
  }
}
