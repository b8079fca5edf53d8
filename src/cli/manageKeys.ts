import { confirmKeyFor, createKeyFor, keysFor, revokeKey } from '#accounts/teams/operatorActions'
import type { Db } from '#db/open'
import { fault } from '#kernel/fault'
import { type Instant, instantText, parseInstant } from '#kernel/time'
import type { Call } from './command'
import { requiredFlag } from './manageUsers'

/** When a key expires: at a moment, or at the end of a day. */
function expiry(text: string | true | undefined): Instant | null {
  if (text === undefined) return null
  const at = parseInstant(/^\d{4}-\d\d-\d\d$/.test(`${text}`) ? `${text}T23:59:59.999999Z` : `${text}`)
  if (at === undefined) throw fault('--expires takes a day or moment such as 2027-01-31 or 2027-01-31T12:00:00Z.')
  return at
}

/** What a key may do less than its account. */
const limitsText = ({ isReadOnly, trials }: { isReadOnly: boolean; trials: string[] | null }): string =>
  `${isReadOnly ? 'only reads' : 'reads and writes'}, ${trials === null ? 'all trials' : `trials ${trials.join(' ')}`}`

/** Performs `trialbox keys`. */
export function manageKeys({ words, flags, print }: Omit<Call, 'env'>, db: Db, now: Instant): void {
  const [what = 'list'] = words
  const email = () => requiredFlag(flags, 'email')
  switch (what) {
    case 'create': {
      const expiresAt = expiry(flags.expires)
      const trials = flags.trials === undefined ? {} : { trials: requiredFlag(flags, 'trials').split(',') }
      const of = { email: email(), name: requiredFlag(flags, 'name'), isReadOnly: flags['read-only'] === true }
      print(createKeyFor(db, { ...of, expiresAt, ...trials }, now).key)
      return
    }
    case 'list':
      for (const { _id, prefix, name, expiresAt, lastUsedAt, lastAddress, suspendedAt, ...limits } of keysFor(
        db,
        email(),
      )) {
        const ends = expiresAt === null ? 'no end' : `until ${instantText(expiresAt)}`
        const usage = lastUsedAt === null ? 'never used' : `used ${instantText(lastUsedAt)} from ${lastAddress}`
        const waits = suspendedAt === null ? [] : ['refused until it is confirmed']
        print([_id, prefix, name, ends, usage, limitsText(limits), ...waits].join('\t'))
      }
      return
    case 'revoke':
      revokeKey(db, { email: email(), key: requiredFlag(flags, flags.key === undefined ? 'name' : 'key') }, now)
      print('The key is deleted, and refused from now on.')
      return
    case 'confirm':
      confirmKeyFor(db, { email: email(), key: requiredFlag(flags, flags.key === undefined ? 'name' : 'key') }, now)
      print('The key works again.')
      return
    default:
      throw fault(`trialbox keys knows create, list, revoke and confirm, not "${what}".`)
  }
}
