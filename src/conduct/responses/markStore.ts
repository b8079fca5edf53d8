/** Signatures on a response, which end when it changes. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** Ends the valid signatures on a response that is about to change. Returns their `_id`s. */
export const endSignatures = (db: Db, response: Id, at: Instant): Id[] =>
  db.$client
    .query<{ signature: Id }, [{ response: Id; at: Instant }]>(
      'UPDATE signedResponses SET endedAt = $at WHERE response = $response AND endedAt IS NULL RETURNING signature',
    )
    .all({ response, at })
    .map(({ signature }) => signature)
