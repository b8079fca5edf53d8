/** `trialbox users`: the accounts of staff, on the data directory; beside a running service too. */
import { parseArgs } from 'node:util'
import type { Db } from '../db/open'
import { addUser, disableUser, enableUser, resetLink } from '../features/users/accounts'
import { allUsers } from '../features/users/queries'
import { setupUrl } from '../features/users/setup'
import { refuse } from '../kernel/problem'
import { type Instant, instantText } from '../kernel/time'

const options = {
  email: { type: 'string' },
  name: { type: 'string' },
  team: { type: 'string' },
  permissions: { type: 'string' },
  'remove-totp': { type: 'boolean' },
  'public-url': { type: 'string' },
} as const

/** @param args such as `['add', '--email', 'a@example.org', '--name', 'Ann', '--team', 'Research']` */
export function run(args: string[], db: Db, now: Instant, say: (line: string) => void): void {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const needed = (option: 'email' | 'name' | 'team'): string => {
    const value = values[option]?.trim()
    if (!value) throw refuse.bad(`This needs --${option}.`)
    return value
  }
  const link = (token: string) => setupUrl(values['public-url'] ?? '', token)
  switch (positionals[0] ?? 'list') {
    case 'list':
      for (const { email, name, isDisabled, passwordHash, lastSeenAt } of allUsers(db)) {
        const state = isDisabled ? 'disabled' : passwordHash === null ? 'not set up' : 'active'
        say([email, name, state, lastSeenAt === null ? 'never seen' : instantText(lastSeenAt)].join('\t'))
      }
      return
    case 'add': {
      const permissions = values.permissions?.split(',').map((word) => word.trim()) ?? []
      const account = { email: needed('email'), name: needed('name'), team: needed('team'), permissions }
      say(`Choose the password here within 72 hours: ${link(addUser(db, account, now).token)}`)
      return
    }
    case 'reset': {
      const token = resetLink(db, needed('email'), now, { removeTotp: values['remove-totp'] ?? false })
      say(`Choose the new password here within an hour: ${link(token)}`)
      return
    }
    case 'disable':
      disableUser(db, needed('email'), now)
      say(`${values.email} is disabled: signed out, and its keys are refused.`)
      return
    case 'enable':
      enableUser(db, needed('email'), now)
      say(`${values.email} is enabled.`)
      return
    default:
      throw refuse.bad(`trialbox users knows list, add, reset, disable and enable, not "${positionals[0]}".`)
  }
}
