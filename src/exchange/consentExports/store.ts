/** Reads the consents of a trial in pages by key: never more than a page is in memory. */
import type { VisibleScope } from '#access/caller'
import { withinScopes } from '#access/visibilityStore'
import type { ConsentRow } from '#conduct/consents/consentStore'
import type { Db } from '#db/open'
import { decodeRow } from '#db/rows'
import { consents } from '#db/tables/index'
import { PLACES } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** A consent with its participant. Places are `_id`s separated by commas; null if there are none. */
export type OwnedConsent = ConsentRow & { participantId: string | null; sites: string | null; groups: string | null }

const PAGE = 200

export type ConsentFilter = {
  trial: Id
  form: Id | undefined
  /** Participants must be in each of them; consents that do not belong to a participant yet are included only if the list is empty. */
  scopes: readonly VisibleScope[]
  until: Instant
}

/** The consents until that moment, oldest first, without those of archived participants, as every export. */
export function* consentsOf(db: Db, { trial, form, scopes, until }: ConsentFilter): Generator<OwnedConsent> {
  const { sql, bound } = withinScopes(scopes, 'c.participant')
  const query = db.$client.query<OwnedConsent, [Record<string, string | number>]>(
    `SELECT c.*, p.id AS participantId, ${PLACES('c.participant')}
     FROM consents c LEFT JOIN participants p ON p._id = c.participant
     WHERE c.${form === undefined ? 'trial = +$trial' : 'form = +$form AND c.trial = +$trial'} AND c._id > $after AND c.createdAt <= $until
       AND (p.isArchived = 0 OR c.participant IS NULL) ${sql}
     ORDER BY c._id LIMIT ${PAGE}`,
  )
  for (let after = ''; ; ) {
    const rows = query.all({ trial, after, until, ...(form === undefined ? {} : { form }), ...bound })
    for (const row of rows) {
      decodeRow(consents, row)
      yield row
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last._id
  }
}
