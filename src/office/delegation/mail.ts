import { siteById } from '#design/sites/store'
import { writerOf } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { mailUsers } from '#outbox/messages'

type MailContext = Pick<RequestContext, 'db' | 'now'> & { caller: { user: { _id: Id; name: string } }; trial: Trial }

/** Asks a person to sign an entry of the delegation log of a site, unless they are the caller. */
export function mailSignatureRequest({ db, now, caller, trial }: MailContext, site: Id, user: Id): void {
  if (user === caller.user._id) return
  const about = { user: caller.user.name, trial: trial.name, site: siteById(db, site)!.name }
  mailUsers(db, now, trial._id, [user], (language) => {
    const { write } = writerOf(trial, language)
    return { subject: write('delegationToSign.subject', about), body: write('delegationToSign.body', about) }
  })
}
