import { enabledUser } from '#access/store'
import { addUser, changeAddress, disableUser, enableUser, resetLink } from '#accounts/teams/operatorActions'
import { setupUrl } from '#accounts/users/setup'
import { allUsers } from '#accounts/users/store'
import type { Db } from '#db/open'
import { fault } from '#kernel/fault'
import { type Instant, instantText } from '#kernel/time'
import type { Flags } from '#server/config/options'
import type { Call } from './command'

/** The value of a required flag. @throws a fault if it is missing */
export function requiredFlag(flags: Flags, flag: string): string {
  const value = flags[flag]
  if (typeof value !== 'string' || !value.trim()) throw fault(`This needs --${flag}.`)
  return value.trim()
}

/** Performs `trialbox users`. @param publicUrl {base_url}, for the links that are printed */
export function manageUsers({ words, flags, print }: Omit<Call, 'env'>, db: Db, now: Instant, publicUrl: string): void {
  const [what = 'list'] = words
  const link = (token: string) => setupUrl(publicUrl, token)
  switch (what) {
    case 'list':
      for (const { _id, email, name, passwordHash, lastSeenAt } of allUsers(db)) {
        const state = !enabledUser(db, _id) ? 'disabled' : passwordHash === null ? 'not set up' : 'active'
        print([email, name, state, lastSeenAt === null ? 'never seen' : instantText(lastSeenAt)].join('\t'))
      }
      return
    case 'add': {
      const permissions = typeof flags.permissions === 'string' ? flags.permissions.split(',') : []
      const account = {
        email: requiredFlag(flags, 'email'),
        name: requiredFlag(flags, 'name'),
        team: requiredFlag(flags, 'team'),
        permissions: permissions.map((word) => word.trim()),
      }
      print(`Choose the password here within 72 hours: ${link(addUser(db, account, now).token)}`)
      return
    }
    case 'reset': {
      const token = resetLink(db, requiredFlag(flags, 'email'), now, { removeTotp: flags['remove-totp'] === true })
      print(`Choose the new password here within an hour: ${link(token)}`)
      return
    }
    case 'move': {
      const [email, to] = [requiredFlag(flags, 'email'), requiredFlag(flags, 'to')]
      changeAddress(db, { email, to }, now)
      print(`${email} is ${to} from now on: its sessions and links have ended.`)
      return
    }
    case 'disable':
      disableUser(db, requiredFlag(flags, 'email'), now)
      print(`${flags.email} is disabled: signed out, and its keys are refused.`)
      return
    case 'enable':
      enableUser(db, requiredFlag(flags, 'email'), now)
      print(`${flags.email} is enabled.`)
      return
    default:
      throw fault(`trialbox users knows list, add, reset, move, disable and enable, not "${what}".`)
  }
}
