/**
 * What each table holds about a participant: where its rows are, which columns erasure empties, and which the report leaves out. The report
 * on a person and the erasure of personal information follow this list. A test compares it with all tables, so that no new table
 * or column is forgotten (docs/participants.md, "What is held about a person").
 */
import { consents } from '#db/personal/consents'
import { messages } from '#db/personal/messages'
import { outbox } from '#db/personal/outbox'
import { participants } from '#db/personal/participants'
import type { PersonalTables } from '#db/personal/personalTable'
import { responses } from '#db/personal/responses'
import { study } from '#db/personal/study'
import { trail } from '#db/personal/trail'

export { personalRowsOfConsent } from '#db/personal/consents'
export { otherTables } from '#db/personal/others'
export type { PersonalTable } from '#db/personal/personalTable'

export const personalTables: PersonalTables = {
  ...participants,
  ...responses,
  ...messages,
  ...study,
  ...outbox,
  ...consents,
  ...trail,
}
