/** The tables of a study record, except those of the stages. */
import type { Access } from '#access/caller'
import { senderOf } from '#conduct/messages/thread'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import type { Trial } from '#design/trials/store'
import { teamEntries, visibleEntries } from '#exchange/logs/pages'
import type { Entry, LogRow } from '#exchange/logs/rules'
import type { Instant } from '#kernel/time'
import { type Cell, type Sheet, sheet } from '#writers/cell'
import { BEGINNING, messagesAfter, type RecordedMessage } from './messageStore'
import { entriesNumbered, trailAfter } from './store'

/** One row per data type: `options` are those of a choice, or the points of a scale, as `code = label`. */
export const codebook = ({ dataTypes, stageOrder, fieldsOf }: Configuration): Sheet =>
  sheet(
    'codebook',
    ['code', 'name', 'description', 'format', 'unit', 'options', 'settings', 'isRestricted', 'isPii', 'stages', '_id'],
    [...dataTypes.values()].map((dataType): Cell[] => {
      const {
        _id,
        createdAt: _,
        trial: __,
        name,
        code,
        description,
        format,
        unit,
        isRestricted,
        isPii,
        ...rest
      } = dataType
      const choices = (rest.options ?? []).map(({ code, label }) => (code == null ? label : `${code} = ${label}`))
      const points = (rest.scale ?? []).map(({ value, label }) => `${value} = ${label}`)
      const stages = stageOrder.filter((stage) => fieldsOf(stage._id).includes(_id)).map((stage) => stage.name)
      return [
        ...[code, name, description, format, unit, [...choices, ...points].join('; ') || null, JSON.stringify(rest)],
        ...[isRestricted, isPii, stages.join('; '), _id],
      ]
    }),
  )

const TRAIL = [
  ...['number', 'createdAt', 'userType', 'userEmail', 'type', 'participantId', 'event'],
  ...['address', 'device', 'apiToken', 'hash'],
]

/**
 * The audit trail, oldest first, with the hash of each entry, which the next one includes.
 * @param until the number of its last entry
 */
export const trail = (db: Db, trial: Trial, access: Access, until: number): Sheet =>
  sheet('audit-trail', TRAIL, trailRows(db, trial, access, until))

/** What the team's log says about the accounts that have to do with the trial, oldest first. */
export const accountTrail = (db: Db, { team }: Trial, numbers: readonly number[]): Sheet =>
  sheet('account-log', TRAIL, accountRows(db, team, numbers))

function* accountRows(db: Db, team: Trial['team'], numbers: readonly number[]): Generator<Cell[]> {
  for (let at = 0; at < numbers.length; at += 500) {
    const rows = entriesNumbered(db, team, numbers.slice(at, at + 500))
    for (const [place, entry] of teamEntries(rows).entries()) yield cellsOf(entry, rows[place]!)
  }
}

/** The cells of an entry, in the order of `TRAIL`. */
function cellsOf(entry: Entry, { userType, hash }: LogRow): Cell[] {
  const { number, createdAt, userEmail, type, participantId, event, client, apiToken } = entry
  return [
    ...[number, { at: createdAt }, userType, userEmail, type, participantId, JSON.stringify(event)],
    ...[client?.address, client?.device, apiToken, hash],
  ]
}

const MESSAGES = [
  ...['participantId', '_id', 'createdAt', 'type', 'sender', 'senderEmail', 'title', 'message', 'attachments'],
  ...['readAt', 'deliveries'],
]

/**
 * What was written in the threads until a moment, by participant, oldest first.
 * @param collected counts the rows, and collects the stored names of attachments
 */
export const messageTable = (db: Db, until: Instant, collected: { rows: number; files: Set<string> }): Sheet =>
  sheet('messages', MESSAGES, messageRows(db, until, collected))

function* messageRows(db: Db, until: Instant, collected: { rows: number; files: Set<string> }): Generator<Cell[]> {
  for (let page = messagesAfter(db, BEGINNING, until); page.length; page = messagesAfter(db, page.at(-1)!, until)) {
    collected.rows += page.length
    for (const message of page) {
      for (const name of message.attachments) collected.files.add(name)
      yield cellsOfMessage(message, until)
    }
  }
}

/** The cells of a message, in the order of `MESSAGES`. */
function cellsOfMessage(message: RecordedMessage, until: Instant): Cell[] {
  const { participantId, _id, createdAt, type, title, attachments, readAt, senderEmail, deliveries } = message
  const isRead = readAt !== null && readAt <= until
  return [
    ...[participantId, _id, { at: createdAt }, type, senderOf(message), senderEmail, title, message.message],
    ...[attachments.join('; '), isRead ? { at: readAt } : null, deliveries],
  ]
}

function* trailRows(db: Db, trial: Trial, access: Access, until: number): Generator<Cell[]> {
  for (let after = 0; after < until; ) {
    const rows = trailAfter(db, trial._id, after, until)
    for (const [at, entry] of visibleEntries(db, trial, access, rows).entries()) yield cellsOf(entry, rows[at]!)
    if (!rows.length) return
    after = rows.at(-1)!.number
  }
}
