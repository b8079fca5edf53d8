/**
 * The acts of people in the demo study. They are stored by the same functions as the requests of people, but with times in
 * the past. The audit trail stays true: its entries have the current time, are marked `demo`, and name the past time.
 */

import { appendEntry } from '#audit/append'
import { changedFields } from '#audit/changedFields'
import {
  insertMessage,
  newestNumber,
  recordReadPosition,
  TEAM,
  unreadByParticipant,
  unreadByUser,
} from '#conduct/messages/store'
import { recordSignIn } from '#conduct/participantSessions/store'
import { auditNoteOf } from '#conduct/participants/auditNote'
import { register } from '#conduct/participants/register'
import type { ParticipantRow } from '#conduct/participants/store'
import { changeParticipant } from '#conduct/participants/updateStore'
import { addReply, raise } from '#conduct/queries/insert'
import type { QueryStatus } from '#conduct/queries/model'
import { updateQuery } from '#conduct/queries/store'
import { entriesIn, verifyFields } from '#conduct/responses/sourceVerification'
import { nextRecurrence, type ResponseRow, responseAt } from '#conduct/responses/store'
import { submitAndSetAnchors } from '#conduct/responses/submission'
import { setAnchorDateManually } from '#conduct/timeline/milestones'
import { zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import type { Configuration } from '#design/configuration/configuration'
import { noHiddenFields } from '#design/hiddenFields/hiddenFields'
import type { Trial } from '#design/trials/store'
import { type Id, newId } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import type { Answers } from './answers'
import type { IdsByName } from './build'
import type { Person } from './people'

/** The demo study, and the user who asked for it: all staff acts are in that user's name. */
export type DemoStudy = {
  db: Db
  /** When the user asked for the demo: nothing in it is later. */
  now: Instant
  /** The current time, at which the data is written. */
  writtenAt: Instant
  trial: Trial
  configuration: Configuration
  names: IdsByName
  user: { _id: Id; email: string }
}

type DemoAction = {
  type: string
  at: Instant
  participant: Id
  event: Record<string, unknown>
  personal?: Record<string, unknown>
}

type Actor = 'participant' | 'user' | 'system'

const actor = ({ _id, email }: DemoStudy['user'], by: Actor) =>
  by === 'user' ? { userType: by, user: _id, userEmail: email } : { userType: by }

/** Writes the audit entry of an act. */
function writeEntry(
  { db, writtenAt, trial, user }: DemoStudy,
  { at, event, ...act }: DemoAction,
  by: Actor = 'user',
): void {
  appendEntry(db, {
    chain: trial._id,
    createdAt: writtenAt,
    ...act,
    ...actor(user, by),
    event: { demo: true, at: instantText(at), ...event },
  })
}

const rowOf = (db: Db, participant: Id): ParticipantRow => rowById(db, participants, participant)!

/** Registers a participant at their site and in their arm; a placeholder has neither name nor arm. */
export function registerPerson(study: DemoStudy, person: Person, at: Instant): Id {
  const { db, trial, names } = study
  const { participantId, name, dob, outcome } = person
  const isUnallocated = outcome === 'placeholder'
  const groups = isUnallocated ? [] : [names.get(person.arm)!]
  const key = { _id: newId(at), createdAt: at, trial: trial._id, passwordHash: null }
  const sites = [names.get(person.site)!]
  const { event } = register(db, { ...key, participantId, isUnallocated, groups, sites }, { isUnallocated })
  writeEntry(study, { type: 'createParticipant', at, participant: key._id, event: event! })
  if (!isUnallocated) changePerson(study, key._id, { name, dob }, at)
  return key._id
}

/** Changes fields of a participant. */
export function changePerson(study: DemoStudy, participant: Id, fields: Partial<ParticipantRow>, at: Instant): void {
  const before = rowOf(study.db, participant)
  const after = changeParticipant(study.db, participant, fields)
  writeEntry(study, { type: 'updateParticipant', at, ...auditNoteOf(before, after) })
}

/** Sets an anchor's date, as a nurse does. */
export function setAnchorDate(study: DemoStudy, participant: Id, anchor: Id, at: Instant): void {
  const { name } = study.configuration.anchors.find(({ _id }) => _id === anchor)!
  const event = { anchor, ...setAnchorDateManually(study.db, participant, { _id: anchor, name }, at) }
  writeEntry(study, { type: 'setAnchorDate', at, participant, event })
}

/** The first sign-in to the app, with the fields that it sets. */
export function signIn(study: DemoStudy, participant: Id, at: Instant): void {
  const { db, trial } = study
  const event = { by: 'grant', first: true, ...recordSignIn(db, trial, { _id: participant, joinedAt: null }, at) }
  writeEntry(study, { type: 'signInParticipant', at, participant, event }, 'participant')
}

type NewMessage = { by: 'participant' | 'user'; text: string; at: Instant }

/** Writes a message of the participant or the team, who read first what the other wrote. It is sent by no channel. */
export function writeMessage(study: DemoStudy, participant: Id, { by, text, at }: NewMessage): void {
  const { db, user } = study
  const isOwn = by === 'participant'
  if (isOwn ? unreadByParticipant(db, participant) : unreadByUser(db, participant, user._id)) {
    const upTo = newestNumber(db, participant)
    recordReadPosition(db, participant, isOwn ? [participant] : [user._id, TEAM], upTo, at)
    writeEntry(study, { type: 'readMessages', at, participant, event: { upTo } }, by)
  }
  const author = isOwn ? {} : { user: user._id }
  const { _id } = insertMessage(db, at, { participant, type: 'message', message: text, ...author })
  const event = { message: _id, ...(isOwn ? {} : { sendVia: [] }), attachments: 0 }
  writeEntry(study, { type: 'sendMessage', at, participant, event }, by)
  if (isOwn && (rowOf(db, participant).lastSeenAt ?? 0) < at) changeParticipant(db, participant, { lastSeenAt: at })
}

type Entry = { stage: Id; stageRecurrence?: number; answers: Answers; at: Instant; updateNote?: string }

/**
 * Submits or amends an occurrence; for an ad hoc stage without a number, the next one. It triggers nothing: a
 * made-up answer sends no message to anybody.
 */
export function submitAnswers(study: DemoStudy, participant: Id, entry: Entry, own: boolean): ResponseRow {
  const { db, trial, configuration, names, user } = study
  const { stage, answers, at, updateNote = null } = entry
  const stageRecurrence = entry.stageRecurrence ?? nextRecurrence(db, participant, stage)
  const existing = responseAt(db, participant, stage, stageRecurrence)
  const sent = Object.fromEntries(Object.entries(answers).map(([code, value]) => [names.get(`#${code}`)!, { value }]))
  const { submitted, event } = submitAndSetAnchors({
    db,
    now: at,
    zone: zoneOf({ timezone: null }, trial),
    configuration,
    trial: trial._id,
    participant,
    stage,
    stageRecurrence,
    existing,
    sent,
    hidden: noHiddenFields,
    by: own ? { _id: participant, type: 'participant' } : { _id: user._id, type: 'user' },
    client: { address: null, device: null },
    updateNote,
    id: () => newId(at),
  })
  writeEntry(study, { type: 'submitResponse', at, participant, event }, own ? 'participant' : 'user')
  return submitted.row
}

/** Marks all fields of a response as verified against their source. */
export function verifyResponse(study: DemoStudy, participant: Id, row: ResponseRow, at: Instant): void {
  const { db, user } = study
  const event = { response: row._id, ...verifyFields(db, row, entriesIn(db, row), user, at) }
  writeEntry(study, { type: 'verifyResponse', at, participant, event })
}

export type DemoQuery = {
  dataType: Id
  text: string
  reply: string
  /** The rule that raises it; null if a person does. */
  rule: string | null
  status: QueryStatus
  at: Instant
  repliedAt: Instant
}

/** Raises a query on a field, adds the reply unless it stays open, and closes it if it is to be closed. */
export function raiseQuery(study: DemoStudy, participant: Id, row: ResponseRow, question: DemoQuery): void {
  const { db, trial, user } = study
  const { dataType, text, reply: answer, rule, status, at, repliedAt } = question
  const raisedBy = rule === null ? user._id : null
  const about = { response: row._id, dataType, assignees: [user._id], raisedBy, rule }
  const query = { _id: newId(at), trial: trial._id, participant, ...about }
  const raised = raise(db, query, { _id: newId(at), text, at })!
  writeEntry(study, { type: 'raiseQuery', at, participant, event: raised }, raisedBy ? 'user' : 'system')
  if (status === 'open') return
  const message = { _id: newId(repliedAt), user: user._id, text: answer, attachments: [], at: repliedAt }
  const replied = { query: query._id, ...addReply(db, query, message) }
  writeEntry(study, { type: 'answerQuery', at: repliedAt, participant, event: replied })
  if (status !== 'closed') return
  updateQuery(db, query._id, { status, updatedAt: repliedAt })
  const event = { query: query._id, ...changedFields({ status: replied.status }, { status }) }
  writeEntry(study, { type: 'updateQuery', at: repliedAt, participant, event })
}
