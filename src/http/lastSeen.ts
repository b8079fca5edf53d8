import { updateWhere } from '#db/rows'
import { apiKeys } from '#db/tables/index'
import { storeLastUse } from './lastSeenStore'
import type { RequestContext } from './operation'

/** Stores when the caller's account, key, session or participant was last seen. The pipeline calls it at most once a minute. */
export function storeLastSeen({ db, caller, now, client }: RequestContext): void {
  if (caller.kind === 'participant') {
    storeLastUse(db, 'participants', caller.participant, now)
    storeLastUse(db, 'participantTokens', caller.token, now)
  } else if (caller.kind === 'staff') {
    storeLastUse(db, 'users', caller.user._id, now)
    if ('apiKey' in caller.via) {
      storeLastUse(db, 'apiKeys', caller.via.apiKey, now)
      updateWhere(db, apiKeys, { _id: caller.via.apiKey }, { lastAddress: client.address })
    } else storeLastUse(db, 'sessions', caller.via.session, now)
  }
}
