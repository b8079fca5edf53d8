/** Queries as the API returns them, with their messages and links to attachments. */

import type { Db } from '#db/open'
import type { HiddenFieldTest } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'
import { attachmentOf } from '#storage/attachments'
import type { LinkMaker } from '#storage/storage'
import { attachedFile, type FullQuery, messagesOf, queriesOn } from './store'

function attachmentsOf(db: Db, attachments: readonly string[], link: LinkMaker) {
  return attachments.flatMap((storedName) => {
    const file = attachedFile(db, storedName)
    return file ? [attachmentOf(file, link)] : []
  })
}

/** Adds the messages and attachments to queries. */
export function queryViews(db: Db, rows: readonly FullQuery[], link: LinkMaker) {
  if (!rows.length) return []
  const ids = rows.map(({ _id }) => _id)
  const messages = Map.groupBy(messagesOf(db, ids), ({ query }) => query)
  return rows.map(({ raisedBy, ...row }) => ({
    ...row,
    createdBy: raisedBy,
    isAutomatic: row.rule !== null,
    messages: (messages.get(row._id) ?? []).map(({ user, attachments, ...message }) => ({
      ...message,
      createdBy: user,
      attachments: attachmentsOf(db, attachments, link),
    })),
  }))
}

/** The queries on responses, oldest first. @param hiddenIn which fields of a response are hidden from the reader */
export function queriesOf<R extends { _id: Id }>(
  db: Db,
  responses: readonly R[],
  hiddenIn: (response: R) => HiddenFieldTest,
  link: LinkMaker,
) {
  const hidden = new Map(responses.map((response) => [response._id, hiddenIn(response)]))
  const rows = queriesOn(db, [...hidden.keys()])
  const visible = rows.filter(({ response, dataType }) => dataType === null || !hidden.get(response)!(dataType))
  return queryViews(db, visible, link)
}
