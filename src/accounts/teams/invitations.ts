import { inviteUser } from '#accounts/users/setup'
import { insertUser, userByEmail } from '#accounts/users/store'
import type { Db } from '#db/open'
import { type Id, newId } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { mailAccount } from '#outbox/messages'
import { writerFor } from '#texts/writer'
import { changeKeepingAdmins } from './admins'
import { insertMember, isInOtherTeam, memberOf, type TeamRow, updateMember } from './store'

/** `language`: of the e-mails to a new account; an existing one keeps its own. */
type NewMember = { email: string; name: string; language?: string | null; permissions: string[] }

/**
 * Adds a person to a team, and mails them. `setupUrl` is null if the person has chosen a password already; they join at
 * once. An account that is also in another team never gets a link from this one: the inviter could set its password.
 * Refuses (400) a disabled account, a person who belongs to the team already, and one whom another team has invited.
 */
export function invite(
  db: Db,
  team: TeamRow,
  { email, name, language, permissions }: NewMember,
  { by, publicUrl, now }: { by: Id; publicUrl: string; now: Instant },
): { user: Id; setupUrl: string | null } {
  const existing = userByEmail(db, email)
  if (!existing) {
    const user = insertUser(db, { _id: newId(now), createdAt: now, name, email, language })
    insertMember(db, { team: team._id, user: user._id, permissions })
    return { user: user._id, setupUrl: inviteUser(db, user, team.name, by, publicUrl, now) }
  }
  if (existing.isDisabled) throw refuse.bad('accountDisabled')
  const member = memberOf(db, team._id, existing._id)
  if (existing.passwordHash !== null) {
    if (member) throw refuse.bad('memberAlready', { email: existing.email })
    insertMember(db, { team: team._id, user: existing._id, permissions })
    const { write } = writerFor(existing.language)
    const about = { team: team.name, name: existing.name, url: `${publicUrl}/account` }
    mailAccount(db, now, existing, {
      subject: write('account.joined.subject', { team: team.name }),
      body: write('account.joined.body', about),
    })
    return { user: existing._id, setupUrl: null }
  }
  if (!member || isInOtherTeam(db, team._id, existing._id)) {
    throw refuse.bad('invitedElsewhere', { email: existing.email })
  }
  changeKeepingAdmins(db, existing._id, () => updateMember(db, team._id, existing._id, { permissions }))
  return { user: existing._id, setupUrl: inviteUser(db, existing, team.name, by, publicUrl, now) }
}
