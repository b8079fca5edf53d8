/** The erasure of a message that names a participant or holds what should not be there (docs/sites.md, "Participants in messages"). */
import { holds } from '#access/caller'
import type { Db } from '#db/open'
import { withSecureDelete } from '#db/secureDelete'
import { site } from '#design/sites/scope'
import { operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { hourLinkMaker } from '#storage/links'
import { giveUpUpload, usableFile } from '#storage/store'
import { boardView, uploadTarget } from './board'
import { SiteMessage, SiteMessageErasure } from './model'
import {
  clearStoredAnswers,
  copiesOf,
  eraseContent,
  isUsedAtSite,
  isUsedInTrial,
  lastRead,
  messageOf,
  type SiteMessageRow,
} from './store'

/** Gives up the attachments that nothing else names: of the site, or of the trial if they are those of a broadcast. */
function releaseAttachments(db: Db, row: SiteMessageRow, trial: Id, now: Instant): void {
  const { site, attachments } = row
  const { forType, forId } = uploadTarget(row, trial)
  const isUsed = forType === 'trial' ? isUsedInTrial : isUsedAtSite
  for (const name of attachments)
    if (usableFile(db, name, forType, forId) && !isUsed(db, site, trial, name)) giveUpUpload(db, name, now)
}

const eraseMessage = operation({
  id: 'eraseSiteMessage',
  method: 'POST',
  path: '/sites/:siteId/messages/:siteMessageId/erasure',
  summary: 'Erase the text of a message on the board of a site',
  description:
    'Its text and the list of its attachments are erased for ever, and so are its files that nothing else names; sender, time and reason stay. A message of a broadcast is erased on all boards, which needs the permission on the whole trial.',
  scope: site,
  needs: 'trial.admin',
  logs: 'eraseSiteMessage',
  body: SiteMessageErasure,
  returns: SiteMessage,
  run: ({ services, db, now, params, caller, trial, access, site: { _id: site }, body, record }) => {
    const row = messageOf(db, site, params.siteMessageId)
    if (!row) throw refuse.missing('message')
    if (row.broadcast !== null && !holds(access, 'admin')) throw refuse.missingPermission(['trial.admin'])
    if (row.erasedAt !== null) throw refuse.bad('boardMessageErased')
    const copies = copiesOf(db, row)
    withSecureDelete(db, () => {
      for (const { _id } of copies) eraseContent(db, _id, now)
      clearStoredAnswers(db, trial._id, row)
      releaseAttachments(db, row, trial._id, now)
    })
    record({ event: { broadcast: row.broadcast, messages: copies.length, reason: body.reason } })
    const reader = { _id: caller.user._id, upTo: lastRead(db, site, caller.user._id) }
    return boardView(db, [messageOf(db, site, row._id)!], trial._id, reader, hourLinkMaker(services, now))[0]!
  },
})

export const siteMessageErasureOperations = [eraseMessage] as const
