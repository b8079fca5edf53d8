/** The message boards of sites in a study record. */
import { namesOf } from '#conduct/messages/store'
import type { Db } from '#db/open'
import { sitesOf } from '#design/sites/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { messagesAfter } from '#office/siteMessages/store'
import type { Cell, Sheet } from '#writers/cell'
import { sheet } from '#writers/cell'

const HEADERS = [
  ...[
    'site',
    'siteName',
    'number',
    'createdAt',
    'sender',
    'senderName',
    'message',
    'attachments',
    'broadcast',
    'erasedAt',
    '_id',
  ],
]

/**
 * The messages of all boards of a trial that were written by a moment: by site, oldest first. `files`: the stored names of their
 * attachments, and `count`: their number; both are complete once the rows have been read.
 */
export function boardTable(
  db: Db,
  trial: Id,
  by: Instant,
): { sheet: Sheet; files: Set<string>; count: { rows: number } } {
  const files = new Set<string>()
  const count = { rows: 0 }
  function* rows(): Generator<Cell[]> {
    for (const site of sitesOf(db, trial, 'all')) {
      for (const row of boardRows(db, site._id, by)) {
        for (const name of row.attachments) files.add(name)
        count.rows++
        const { number, createdAt, user, userName, message, attachments, broadcast, erasedAt, _id } = row
        yield [
          ...[site.id, site.name, number, { at: createdAt }, user, userName, message],
          ...[attachments.join('; '), broadcast, erasedAt === null ? null : { at: erasedAt }, _id],
        ]
      }
    }
  }
  return { sheet: sheet('site-messages', HEADERS, rows()), files, count }
}

/** The messages of one board, read in pages, with the name of the sender. */
function* boardRows(db: Db, site: Id, by: Instant) {
  for (let after = 0; ; ) {
    const page = messagesAfter(db, site, after, by, 500)
    if (!page.length) return
    const names = namesOf(db, [...new Set(page.map(({ user }) => user))])
    for (const row of page) yield { ...row, userName: names.get(row.user) ?? null }
    after = page.at(-1)!.number
  }
}
