/**
 * What people do in the demo study, written as their own requests would write it, but for the moment: it lies in the past.
 * The audit trail tells what is so: its entries have the time of the clock, are marked `demo`, and name the past moment.
 */
import { append } from '#audit/append'
import { changes } from '#audit/changes'
import { join } from '#conduct/participants/memberships'
import { insertParticipant, type ParticipantRow } from '#conduct/participants/store'
import { noteOf } from '#conduct/participants/update'
import { changeParticipant } from '#conduct/participants/updateStore'
import type { QueryStatus } from '#conduct/queries/model'
import { insertMessage, insertQuery } from '#conduct/queries/store'
import { appendEvent } from '#conduct/responses/events'
import { entriesIn, verify } from '#conduct/responses/marks'
import { nextRecurrence, type ResponseRow, responseAt } from '#conduct/responses/store'
import { completed } from '#conduct/responses/submission'
import { submissionDigest, submit } from '#conduct/responses/submit'
import { reach } from '#conduct/timeline/milestones'
import { zoneOf } from '#conduct/timeline/progress'
import { setAnchor } from '#conduct/timeline/store'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import type { Configuration } from '#design/configuration/configuration'
import type { Trial } from '#design/trials/store'
import { type Id, newId } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import type { Answers } from './answers'
import type { Names } from './build'
import type { Person } from './people'

/** The study that is being filled, and on whose request: what staff do in it is done in their name. */
export type Filling = {
  db: Db
  /** When the demo was asked for: nothing in it is later. */
  now: Instant
  /** What the clock says while it is written. */
  writtenAt: Instant
  trial: Trial
  configuration: Configuration
  names: Names
  user: { _id: Id; email: string }
}

type Doing = {
  type: string
  at: Instant
  participant: Id
  event: Record<string, unknown>
  personal?: Record<string, unknown>
}

type Actor = 'participant' | 'user' | 'system'

const actor = ({ _id, email }: Filling['user'], by: Actor) =>
  by === 'user' ? { userType: by, user: _id, userEmail: email } : { userType: by }

/** Writes the audit entry of an act. */
function tell({ db, writtenAt, trial, user }: Filling, { at, event, ...act }: Doing, by: Actor = 'user'): void {
  append(db, {
    chain: trial._id,
    createdAt: writtenAt,
    ...act,
    ...actor(user, by),
    event: { demo: true, at: instantText(at), ...event },
  })
}

const rowOf = (db: Db, participant: Id): ParticipantRow => rowById(db, participants, participant)!

/** Registers somebody into their site and arm; a placeholder is nobody yet, and has neither name nor arm. */
export function register(filling: Filling, person: Person, at: Instant): Id {
  const { db, trial, names } = filling
  const { participantId, name, dob, fate } = person
  const isUnallocated = fate === 'placeholder'
  const participant = newId(at)
  const groups = isUnallocated ? [] : [names.get(person.arm)!]
  const sites = [names.get(person.site)!]
  insertParticipant(db, {
    _id: participant,
    createdAt: at,
    trial: trial._id,
    id: participantId,
    passwordHash: null,
    isUnallocated,
  })
  for (const site of sites) join(db, 'site', participant, site)
  for (const group of groups) join(db, 'group', participant, group)
  const after = { _id: participant, participantId, isUnallocated, groups, sites, passwordSet: false }
  tell(filling, { type: 'createParticipant', at, participant, event: { after } })
  if (!isUnallocated) change(filling, participant, { name, dob }, at)
  return participant
}

/** Changes what is said of a participant. */
export function change(filling: Filling, participant: Id, fields: Partial<ParticipantRow>, at: Instant): void {
  const before = rowOf(filling.db, participant)
  const after = changeParticipant(filling.db, participant, fields)
  tell(filling, { type: 'updateParticipant', at, ...noteOf(before, after) })
}

/** Sets an anchor's date, as a nurse does. */
export function date(filling: Filling, participant: Id, anchor: Id, at: Instant): void {
  setAnchor(filling.db, participant, anchor, at)
  const event = { anchor, ...changes({}, { datetime: instantText(at) }) }
  tell(filling, { type: 'setAnchorDate', at, participant, event })
}

/** The first sign-in to the app, and what it sets. */
export function signIn(filling: Filling, participant: Id, at: Instant): void {
  const { db, configuration } = filling
  changeParticipant(db, participant, { joinedAt: at, lastSeenAt: at })
  const set = reach(db, configuration.anchors, participant, { type: 'participant_login' }, at)
  const event = { by: 'grant', first: true, ...set }
  tell(filling, { type: 'signInParticipant', at, participant, event }, 'participant')
}

type Entry = { stage: Id; stageRecurrence?: number; answers: Answers; at: Instant; updateNote?: string }

/**
 * Submits or amends an occurrence; of an ad hoc stage without one, the next. Nothing follows from it as it would today: a
 * made-up answer sends no message to anybody.
 */
export function answer(filling: Filling, participant: Id, entry: Entry, own: boolean): ResponseRow {
  const { db, trial, configuration, names, user } = filling
  const { stage, answers, at, updateNote = null } = entry
  const stageRecurrence = entry.stageRecurrence ?? nextRecurrence(db, participant, stage)
  const existing = responseAt(db, participant, stage, stageRecurrence)
  const sent = Object.fromEntries(Object.entries(answers).map(([code, value]) => [names.get(`#${code}`)!, { value }]))
  const { row, submission } = submit({
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
    by: own ? { _id: participant, type: 'participant' } : { _id: user._id, type: 'user' },
    client: { address: null, device: null },
    updateNote,
    id: () => newId(at),
  })
  const set = existing ? {} : completed(db, configuration, participant, stage, stageRecurrence, at)
  const said = submission
    ? { submission: submission._id, digest: submissionDigest.of(submission) }
    : { unchanged: true }
  const event = { response: row._id, stage, stageRecurrence, ...said, ...set }
  tell(filling, { type: 'submitResponse', at, participant, event }, own ? 'participant' : 'user')
  return row
}

/** Compares all fields of a response with their source. */
export function check(filling: Filling, participant: Id, row: ResponseRow, at: Instant): void {
  const { db, user } = filling
  const dataTypes = verify(db, row._id, entriesIn(db, row), user._id, at)
  const entry = appendEvent(db, row, 'verified', { _id: user._id, type: 'user' }, at, { dataTypes })
  tell(filling, { type: 'verifyResponse', at, participant, event: { response: row._id, dataTypes, entry } })
}

export type Question = {
  dataType: Id
  text: string
  reply: string
  /** The rule that raises it; null where a person does. */
  rule: string | null
  status: QueryStatus
  at: Instant
  repliedAt: Instant
}

/** Raises a query on a field; unless it stays open it has its reply, and closed, its end. */
export function ask(filling: Filling, participant: Id, row: ResponseRow, question: Question): void {
  const { db, trial, user } = filling
  const { dataType, text, reply, rule, status, at, repliedAt } = question
  const query = newId(at)
  const isOpen = status === 'open'
  const about = { response: row._id, dataType, status, assignees: [user._id], rule }
  const raisedBy = rule === null ? user._id : null
  insertQuery(db, {
    ...{ _id: query, createdAt: at, updatedAt: isOpen ? at : repliedAt, trial: trial._id, participant },
    ...about,
    raisedBy,
  })
  const first = insertMessage(db, { _id: newId(at), createdAt: at, query, user: raisedBy, text, attachments: [] })
  const raised = { query, ...about, status: 'open', ...first }
  tell(filling, { type: 'raiseQuery', at, participant, event: raised }, raisedBy ? 'user' : 'system')
  if (isOpen) return
  // A message of whoever raised a query leaves it open.
  const answered = raisedBy ? 'open' : 'answered'
  const answer = { _id: newId(repliedAt), createdAt: repliedAt, query, user: user._id, text: reply, attachments: [] }
  const said = { query, status: answered, ...insertMessage(db, answer) }
  tell(filling, { type: 'answerQuery', at: repliedAt, participant, event: said })
  if (status !== 'closed') return
  const event = { query, ...changes({ status: answered }, { status }) }
  tell(filling, { type: 'updateQuery', at: repliedAt, participant, event })
}
