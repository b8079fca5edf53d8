import type { Db } from '../../db/open'
import { setupTokens } from '../../db/tables'
import { newId, newSecret, sha256 } from '../../kernel/id'
import { HOUR, type Instant } from '../../kernel/time'

/** The token for the first account, valid an hour; undefined where there is an account already (decisions 1). */
export function firstSetup(db: Db, now: Instant): string | undefined {
  if (db.$client.query('SELECT 1 FROM users LIMIT 1').get()) return undefined
  db.$client.query(`DELETE FROM setupTokens WHERE purpose = 'first'`).run()
  const token = newSecret()
  db.insert(setupTokens)
    .values({
      _id: newId(now),
      createdAt: now,
      hash: sha256(token),
      purpose: 'first',
      user: null,
      expiresAt: now + HOUR,
    })
    .run()
  return token
}
