import type { Asked } from './operation'

/** Notes when an account, key, session or participant was last seen; at most once a minute. */
export function touch({ db, caller, now, client }: Asked): void {
  const { $client: sqlite } = db
  if (caller.kind === 'participant') {
    sqlite.query('UPDATE participants SET lastSeenAt = ? WHERE _id = ?').run(now, caller.participant)
    sqlite.query('UPDATE participantTokens SET lastUsedAt = ? WHERE hash = ?').run(now, caller.token)
  } else if (caller.kind === 'staff') {
    sqlite.query('UPDATE users SET lastSeenAt = ? WHERE _id = ?').run(now, caller.user._id)
    if ('apiKey' in caller.via) {
      const used = 'UPDATE apiKeys SET lastUsedAt = ?, lastAddress = ? WHERE _id = ?'
      sqlite.query(used).run(now, client.address, caller.via.apiKey)
    } else sqlite.query('UPDATE sessions SET lastSeenAt = ? WHERE _id = ?').run(now, caller.via.session)
  }
}
