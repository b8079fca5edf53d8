import { StaffMember } from '#accounts/users/staffMember'
import { Site } from '#design/sites/model'
import { Attachment } from '#storage/attachments'
import { flag, id, instant, list, maybe, orNull, shape, text, whole, withDescription } from '#wire/schema'

/** The most messages of a page. */
const PAGE = 500

/** The most characters of a message. */
const LENGTH = 2000

/** The most files of a message. */
const FILES = 20

const content = {
  message: text(0, LENGTH),
  attachments: list(Attachment, FILES),
  fileUrls: withDescription('The URLs of the attachments, which work for an hour.', list(text(0, 5000), FILES)),
}

export const SiteMessage = shape('SiteMessage', {
  ...{ _id: id(), createdAt: instant(), site: id(), sender: StaffMember, ...content },
  broadcast: withDescription(
    'If it was sent to several boards at once: the same in the message of each.',
    orNull(id()),
  ),
  erasedAt: withDescription('When its text and attachments were erased.', orNull(instant())),
  isRead: withDescription('Whether the caller has read it, or wrote it.', flag()),
})

const unread = () => withDescription('How many messages of others the caller has not read.', whole(0))

export const SiteBoard = shape('SiteBoard', {
  site: Site,
  messages: withDescription('Newest first.', list(SiteMessage, PAGE)),
  page: whole(1),
  nextPageAvailable: flag(),
  unread: unread(),
})

export const BoardQuery = shape({
  page: maybe(whole(1, 1_000_000_000)),
  page_size: maybe(withDescription('The most messages of a page; the default is 30.', whole(1, PAGE))),
})

export const NewSiteMessage = shape('NewSiteMessage', {
  message: maybe(withDescription('It may be left out if there are attachments.', text(0, LENGTH))),
  attachments: maybe(
    withDescription('Stored names of finished uploads with forType=site for this site.', list(text(1, 200), FILES)),
  ),
})

export const NewBroadcast = shape('NewSiteBroadcast', {
  message: maybe(withDescription('It may be left out if there are attachments.', text(0, LENGTH))),
  attachments: maybe(
    withDescription('Stored names of finished uploads with forType=trial for this trial.', list(text(1, 200), FILES)),
  ),
})

export const Broadcast = shape('SiteBroadcast', {
  ...{ _id: id(), createdAt: instant(), sender: StaffMember, ...content },
  sites: withDescription('The sites on whose boards it is.', list(id())),
})

export const SiteMessageErasure = shape('SiteMessageErasure', {
  reason: withDescription('The reason, which the audit trail keeps', text(1, 500)),
})

/** What has been read. */
export const BoardReading = shape('SiteBoardReading', {
  upTo: maybe(withDescription('The newest message that was shown; without it, the newest of the board.', id())),
})

export const UnreadOfSite = shape('UnreadSiteMessages', { site: id(), unread: unread() })

export const UnreadOfSites = shape('UnreadSiteMessagesOfTrial', {
  sites: withDescription('Every site whose board the caller may read.', list(UnreadOfSite)),
})
