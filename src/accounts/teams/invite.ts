import { inviteUser } from '#accounts/users/setup'
import { insertUser, userByEmail } from '#accounts/users/store'
import type { Db } from '#db/open'
import { type Id, newId } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { mailAccount } from '#outbox/post'
import { keepingAdmins } from './admins'
import { insertMember, isElsewhere, memberOf, type TeamRow, updateMember } from './store'

/**
 * Brings a person into a team. `setupUrl` is null for somebody who has chosen a password already: they join. A link is
 * never given for an account that another team counts on, or its password could be set by the wrong person.
 */
export function invite(
  db: Db,
  team: TeamRow,
  { email, name, permissions }: { email: string; name: string; permissions: string[] },
  publicUrl: string,
  now: Instant,
): { user: Id; setupUrl: string | null } {
  const known = userByEmail(db, email)
  if (!known) {
    const user = insertUser(db, { _id: newId(now), createdAt: now, name, email })
    insertMember(db, { team: team._id, user: user._id, permissions })
    return { user: user._id, setupUrl: inviteUser(db, user, team.name, publicUrl, now) }
  }
  if (known.isDisabled) throw refuse.bad('This account is disabled. Whoever runs the server can enable it.')
  const member = memberOf(db, team._id, known._id)
  if (known.passwordHash !== null) {
    if (member) throw refuse.bad(`${known.email} belongs to the team already.`)
    insertMember(db, { team: team._id, user: known._id, permissions })
    mailAccount(db, now, known, {
      subject: `You joined ${team.name}`,
      body: `Dear ${known.name},\n\nyou are a member of ${team.name} now.\n`,
    })
    return { user: known._id, setupUrl: null }
  }
  if (!member || isElsewhere(db, team._id, known._id)) {
    throw refuse.bad(`${known.email} was invited by another team and must choose a password first.`)
  }
  keepingAdmins(db, known._id, () => updateMember(db, team._id, known._id, { permissions }))
  return { user: known._id, setupUrl: inviteUser(db, known, team.name, publicUrl, now) }
}
