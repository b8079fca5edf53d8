/** What stands on a response and ends when it changes. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** Ends what stands of the signatures on a response, which is about to change; answers whose they were. */
export const endSignatures = (db: Db, response: Id, at: Instant): Id[] =>
  db.$client
    .query<{ signature: Id }, [{ response: Id; at: Instant }]>(
      'UPDATE signedResponses SET endedAt = $at WHERE response = $response AND endedAt IS NULL RETURNING signature',
    )
    .all({ response, at })
    .map(({ signature }) => signature)
