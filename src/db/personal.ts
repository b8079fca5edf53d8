/**
 * What each table holds about a participant: where its rows are, which columns erasure empties, and which nobody may read. The report
 * on a person and the erasure of personal information follow this list. A test compares it with all tables, so that no new table
 * or column is forgotten (docs/participants.md, "What is held about a person").
 */
import { consents } from '#db/personal/consents'
import { messages } from '#db/personal/messages'
import { outbox } from '#db/personal/outbox'
import { participants } from '#db/personal/participants'
import { responses } from '#db/personal/responses'
import { study } from '#db/personal/study'
import { trail } from '#db/personal/trail'
import type { HeldTables } from '#db/personal/words'

export { heldOfConsent } from '#db/personal/consents'
export { otherTables } from '#db/personal/others'
export type { HeldTable } from '#db/personal/words'

export const heldTables: HeldTables = {
  ...participants,
  ...responses,
  ...messages,
  ...study,
  ...outbox,
  ...consents,
  ...trail,
}
