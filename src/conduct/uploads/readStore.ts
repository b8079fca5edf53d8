import type { Db } from '#db/open'
import type { Id } from '#kernel/id'

/** The participant of a consent, or of the session that led to it; undefined if there is no such consent. */
export const participantOfConsent = ({ $client }: Db, _id: Id): { participant: Id | null } | undefined =>
  $client
    .query<{ participant: Id | null }, [{ _id: Id }]>(
      'SELECT participant FROM consents WHERE session = $_id OR _id = $_id',
    )
    .get({ _id }) ?? undefined
