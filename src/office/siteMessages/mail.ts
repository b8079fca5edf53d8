/**
 * E-mails to the readers of a board about new messages (docs/sites.md, "E-mails about messages"): at most one an hour for each
 * board and person. The readers are determined after the request, so that the cost of a message does not depend on their number.
 */
import { holds } from '#access/caller'
import { accessOf } from '#access/identify'
import { enabledUser } from '#access/store'
import type { Db } from '#db/open'
import { deleteWhere, insertNew, updateWhere } from '#db/rows'
import { siteMessageMails, siteMessageQueue } from '#db/tables/index'
import { holdersAt } from '#design/roles/peopleStore'
import { writerOf } from '#design/trials/notices'
import { trialById } from '#design/trials/store'
import type { Instant } from '#kernel/time'
import { mailUsers } from '#outbox/messages'
import type { Writer } from '#texts/writer'
import { type DueReader, dueBoards, nextDueReader, queuedBoards, queueReaders } from './mailStore'
import type { SiteMessageRow } from './store'

/** Queues a notification of the readers of a board about a new message. */
export const queueBoard = (db: Db, { site, number }: Pick<SiteMessageRow, 'site' | 'number'>): void =>
  void insertNew(db, siteMessageQueue, { site, after: number - 1 })

/** The most names of sites in an e-mail. */
const MAX_SITES = 10

/** The e-mail about new messages on the boards of these sites. It holds nothing of the messages. */
const newMessagesMail = ({ write, writeCounted, list }: Writer, trial: string, names: readonly string[]) => {
  const values = { trial, sites: list(names, MAX_SITES) }
  return {
    subject: writeCounted('siteMessages.subject', names.length, values),
    body: write('siteMessages.body', values),
  }
}

/** Tells a person of all boards of a trial that are due, in one e-mail. */
function mailReader(db: Db, now: Instant, reader: DueReader): void {
  const { user, trial: _id } = reader
  const access = enabledUser(db, user) ? accessOf(db, user).trials.get(_id) : undefined
  const boards = dueBoards(db, reader, now)
  const boardsToMail = boards.filter(
    ({ site, others }) => others > 0 && access && holds(access, 'readSiteMessages', { sites: [site], groups: [] }),
  )
  const trial = trialById(db, _id)!
  const names = boardsToMail.map(({ name }) => name)
  if (boardsToMail.length)
    mailUsers(db, now, _id, [user], (language) => newMessagesMail(writerOf(trial, language), trial.name, names))
  for (const board of boards) {
    const change = boardsToMail.includes(board) ? { mailedAt: now, toldUpTo: board.newest } : {}
    updateWhere(db, siteMessageMails, { site: board.site, user }, { ...change, dueAt: null })
  }
}

/**
 * Does a part of what is due: at most `limit` boards or people. Returns whether more may be left. Boards come first, so that one
 * e-mail tells a person of a whole broadcast.
 */
export function notifyReaders(db: Db, now: Instant, limit: number): boolean {
  const boards = queuedBoards(db, limit)
  for (const board of boards) {
    queueReaders(db, now, board, holdersAt(db, board.trial, board.site))
    deleteWhere(db, siteMessageQueue, { site: board.site })
  }
  if (boards.length) return true
  for (let count = 0; count < limit; count++) {
    const reader = nextDueReader(db, now)
    if (!reader) return false
    mailReader(db, now, reader)
  }
  return true
}
