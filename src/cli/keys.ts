/** `trialbox keys`: API keys, on the data directory; beside a running service too. */
import { parseArgs } from 'node:util'
import type { Db } from '../db/open'
import { createKeyFor, keysFor, revokeKey } from '../features/users/accounts'
import { refuse } from '../kernel/problem'
import { type Instant, instantText, parseInstant } from '../kernel/time'

const options = {
  email: { type: 'string' },
  name: { type: 'string' },
  expires: { type: 'string' },
  key: { type: 'string' },
} as const

/** A day, which a key outlives, or a moment. */
function expiry(text: string | undefined): Instant | null {
  if (text === undefined) return null
  const at = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999999Z` : text)
  if (at === undefined) throw refuse.bad('--expires takes a day or moment such as 2027-01-31 or 2027-01-31T12:00:00Z.')
  return at
}

/** @param args such as `['create', '--email', 'a@example.org', '--name', 'nightly export']` */
export function run(args: string[], db: Db, now: Instant, say: (line: string) => void): void {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const needed = (option: 'email' | 'name'): string => {
    const value = values[option]?.trim()
    if (!value) throw refuse.bad(`This needs --${option}.`)
    return value
  }
  switch (positionals[0] ?? 'list') {
    case 'create': {
      const expiresAt = expiry(values.expires)
      say(createKeyFor(db, { email: needed('email'), name: needed('name'), expiresAt }, now).key)
      return
    }
    case 'list':
      for (const { _id, prefix, name, expiresAt, lastUsedAt, lastAddress } of keysFor(db, needed('email'))) {
        const ends = expiresAt === null ? 'no end' : `until ${instantText(expiresAt)}`
        const used = lastUsedAt === null ? 'never used' : `used ${instantText(lastUsedAt)} from ${lastAddress}`
        say([_id, prefix, name, ends, used].join('\t'))
      }
      return
    case 'revoke':
      revokeKey(db, { email: needed('email'), key: values.key ?? needed('name') }, now)
      say('The key is deleted: it is refused from now on.')
      return
    default:
      throw refuse.bad(`trialbox keys knows create, list and revoke, not "${positionals[0]}".`)
  }
}
