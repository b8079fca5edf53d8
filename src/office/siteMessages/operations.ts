/** The message boards of sites (docs/sites.md, "Message boards"). */
import { scopeOf } from '#access/caller'
import { site } from '#design/sites/scope'
import { sitesOf } from '#design/sites/store'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { hourLinkMaker } from '#storage/links'
import { boardView, messageContent, messageNumber } from './board'
import { queueBoard } from './mail'
import {
  BoardQuery,
  BoardReading,
  Broadcast,
  NewBroadcast,
  NewSiteMessage,
  SiteBoard,
  SiteMessage,
  UnreadOfSite,
  UnreadOfSites,
} from './model'
import { insertSiteMessage, lastRead, messagesBetween, newestNumber, recordReading, unreadIn, unreadOn } from './store'

const READ = 'trial.readSiteMessages'
const WRITE = 'trial.writeSiteMessages'

const readBoard = operation({
  id: 'listSiteMessages',
  method: 'GET',
  path: '/sites/:siteId/messages',
  summary: 'Read the message board of a site',
  description: 'Newest first. Reading a page marks nothing as read.',
  scope: site,
  needs: READ,
  query: BoardQuery,
  returns: SiteBoard,
  run: ({ services, db, now, caller, trial, site, query: { page = 1, page_size: size = 30 } }) => {
    const [user, end] = [caller.user._id, newestNumber(db, site._id) - (page - 1) * size]
    const reader = { _id: user, upTo: lastRead(db, site._id, user) }
    const rows = messagesBetween(db, site._id, end - size, end)
    const messages = boardView(db, rows, trial._id, reader, hourLinkMaker(services, now))
    return { site, messages, page, nextPageAvailable: end > size, unread: unreadOn(db, site._id, user) }
  },
})

const writeOnBoard = operation({
  id: 'sendSiteMessage',
  method: 'POST',
  path: '/sites/:siteId/messages',
  summary: 'Write on the message board of a site',
  description: 'Its readers see it at once, and it cannot be changed or recalled.',
  scope: site,
  needs: WRITE,
  limit: 30,
  logs: 'sendSiteMessage',
  body: NewSiteMessage,
  returns: SiteMessage,
  run: ({ services, db, now, id, caller, trial, site: { _id: site }, body, record }) => {
    const content = messageContent(db, { forType: 'site', forId: site }, body)
    const author = { _id: id(), createdAt: now, user: caller.user._id }
    const row = insertSiteMessage(db, { ...author, site, ...content })
    queueBoard(db, row)
    record({ event: { message: row._id, attachments: content.attachments.length } })
    const reader = { _id: row.user, upTo: row.number }
    return boardView(db, [row], trial._id, reader, hourLinkMaker(services, now))[0]!
  },
})

const markBoardRead = operation({
  id: 'markSiteMessagesRead',
  method: 'PUT',
  path: '/sites/:siteId/messages/read',
  summary: 'Mark the message board of a site as read',
  description: 'For the caller. With `upTo`, what was written meanwhile stays unread.',
  scope: site,
  needs: READ,
  logs: 'readSiteMessages',
  body: BoardReading,
  returns: UnreadOfSite,
  run: ({ db, now, caller, site: { _id: site }, body, record }) => {
    const upTo = messageNumber(db, site, body.upTo)
    recordReading(db, site, caller.user._id, upTo, now)
    record({ event: { upTo } })
    return { site, unread: unreadOn(db, site, caller.user._id) }
  },
})

const broadcastMessage = operation({
  id: 'broadcastSiteMessage',
  method: 'POST',
  path: '/trials/:trialId/messages/broadcast',
  summary: 'Write on the message boards of all sites',
  description: 'Of those on whose boards the caller may write: on all of them, or on none if it is refused.',
  scope: trial,
  needs: anywhere(WRITE),
  limit: 10,
  logs: 'broadcastSiteMessage',
  body: NewBroadcast,
  returns: Broadcast,
  run: ({ services, db, now, id, caller, trial, access, body, record }) => {
    const content = messageContent(db, { forType: 'trial', forId: trial._id }, body)
    const sites = sitesOf(db, trial._id, scopeOf(access, ['writeSiteMessages'])).map(({ _id }) => _id)
    if (!sites.length) throw refuse.bad('noBoard')
    const _id = id()
    const rows = sites.map((site) => {
      const author = { _id: id(), createdAt: now, user: caller.user._id }
      return insertSiteMessage(db, { ...author, site, ...content, broadcast: _id })
    })
    for (const row of rows) queueBoard(db, row)
    record({ event: { broadcast: _id, sites, attachments: content.attachments.length } })
    const reader = { _id: caller.user._id, upTo: 0 }
    return { ...boardView(db, rows.slice(0, 1), trial._id, reader, hourLinkMaker(services, now))[0]!, _id, sites }
  },
})

const readUnread = operation({
  id: 'listUnreadSiteMessages',
  method: 'GET',
  path: '/trials/:trialId/messages/unread',
  summary: 'Count the unread messages on the boards of sites',
  description: 'For each site whose board the caller may read, also if nothing is unread.',
  scope: trial,
  needs: anywhere(READ),
  returns: UnreadOfSites,
  run: ({ db, caller, trial, access }) => ({
    sites: unreadIn(db, trial._id, scopeOf(access, ['readSiteMessages']), caller.user._id),
  }),
})

export const siteMessageOperations = [readBoard, writeOnBoard, markBoardRead, broadcastMessage, readUnread] as const
