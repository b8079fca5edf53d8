import { updateWhere } from '#db/rows'
import { apiKeys, participants, participantTokens, sessions, users } from '#db/tables/index'
import type { RequestContext } from './operation'

/** Stores when the caller's account, key, session or participant was last seen. The pipeline calls it at most once a minute. */
export function noteLastSeen({ db, caller, now, client }: RequestContext): void {
  if (caller.kind === 'participant') {
    updateWhere(db, participants, { _id: caller.participant }, { lastSeenAt: now })
    updateWhere(db, participantTokens, { hash: caller.token }, { lastUsedAt: now })
  } else if (caller.kind === 'staff') {
    updateWhere(db, users, { _id: caller.user._id }, { lastSeenAt: now })
    if ('apiKey' in caller.via)
      updateWhere(db, apiKeys, { _id: caller.via.apiKey }, { lastUsedAt: now, lastAddress: client.address })
    else updateWhere(db, sessions, { _id: caller.via.session }, { lastSeenAt: now })
  }
}
