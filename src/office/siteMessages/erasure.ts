/** The erasure of a message that names a participant or holds what should not be there (docs/sites.md, "Participants in messages"). */
import { holds } from '#access/caller'
import type { Db } from '#db/open'
import { overwriting } from '#db/overwriting'
import { site } from '#design/sites/scope'
import { operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { hourLinkMaker } from '#storage/links'
import { giveUp, usableFile } from '#storage/store'
import { boardView } from './board'
import { SiteMessage, SiteMessageErasure } from './model'
import { copiesOf, eraseContent, forgetAnswers, isNamedAt, lastRead, messageOf, type SiteMessageRow } from './store'

/** Gives up the attachments that nothing else of the site names. Those of a broadcast, which belong to the trial, stay. */
function releaseAttachments(db: Db, { site, broadcast, attachments }: SiteMessageRow, trial: Id, now: Instant): void {
  if (broadcast !== null) return
  for (const name of attachments)
    if (usableFile(db, name, 'site', site) && !isNamedAt(db, site, trial, name)) giveUp(db, name, now)
}

const eraseMessage = operation({
  id: 'eraseSiteMessage',
  method: 'POST',
  path: '/sites/:siteId/messages/:siteMessageId/erasure',
  summary: 'Erase the text of a message on the board of a site',
  description:
    'Its text and the list of its attachments are erased for ever, and so are files that were uploaded for the site and that nothing else of it names; sender, time and reason stay. A message of a broadcast is erased on all boards, which needs the permission on the whole trial.',
  scope: site,
  needs: 'trial.admin',
  logs: 'eraseSiteMessage',
  body: SiteMessageErasure,
  returns: SiteMessage,
  run: ({ services, db, now, params, caller, trial, access, site: { _id: site }, body, record }) => {
    const row = messageOf(db, site, params.siteMessageId)
    if (!row) throw refuse.missing('message')
    if (row.broadcast !== null && !holds(access, 'admin')) throw refuse.lacking(['trial.admin'])
    if (row.erasedAt !== null) throw refuse.bad('This message was erased already.')
    const copies = copiesOf(db, row)
    overwriting(db, () => {
      for (const { _id } of copies) eraseContent(db, _id, now)
      forgetAnswers(db, trial._id, row)
      releaseAttachments(db, row, trial._id, now)
    })
    record({ event: { broadcast: row.broadcast, messages: copies.length, reason: body.reason } })
    const reader = { _id: caller.user._id, upTo: lastRead(db, site, caller.user._id) }
    return boardView(db, [messageOf(db, site, row._id)!], trial._id, reader, hourLinkMaker(services, now))[0]!
  },
})

export const siteMessageErasureOperations = [eraseMessage] as const
