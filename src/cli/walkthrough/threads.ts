/** Messages between participants and the nurses of their sites, and a notification to everybody. */
import { resultOf } from './amendment'
import { notArchived } from './enrolment'
import type { Member, Study } from './model'

const QUESTION = 'May I come an hour later on Monday?'
const REPLY = 'Yes, at ten.'
const NOTICE = 'The clinic is closed on Friday.'

/** The participants who write: one for each site. */
export const writersIn = ({ trial, anonymous, members }: Study): Member[] =>
  trial.nurses.flatMap((_, site) => {
    const isWriter = ({ person, app, state }: Member) => person.site === site && app !== anonymous && state === 'active'
    return [...members.values()].find(isWriter) ?? []
  })

/** What the participants and the nurses wrote, in order, as `ID: text`. */
export const expectedMessages = (study: Study): string[] =>
  writersIn(study).flatMap(({ person }) => [QUESTION, REPLY].map((text) => `${person.participantId}: ${text}`))

const threadOf = ({ trial }: Study, { _id }: Member) => `/trials/${trial._id}/participants/${_id}/messages`

/** Lets one participant of each site write, and its nurse reply. Compares what each sees, and what is unread. */
export async function exchangeMessages(study: Study): Promise<number> {
  const { owner, trial, checks, record } = study
  const writers = writersIn(study)
  for (const { app } of writers) await app.post('/participants/messages', { message: QUESTION })
  for (const member of writers) {
    const { site, participantId } = member.person
    const nurse = trial.nurses[site]!
    const { participants } = await nurse.get(`/trials/${trial._id}/participants?unread=true`)
    const unread = participants.map(({ id, unreadCount }: { id: string; unreadCount: number }) => [id, unreadCount])
    checks.equal('whose messages a nurse has not read', unread, [[participantId, 1]])
    await nurse.post(threadOf(study, member), { message: REPLY })
    checks.equal('what a nurse has not read', await nurse.put(threadOf(study, member)), { unreadCount: 0 })
    const { messages } = await member.app.get('/participants/messages')
    const last = messages.slice(-2).map(({ message }: { message: string }) => message)
    checks.equal('the end of a thread', [messages[0].type, ...last], ['welcome', QUESTION, REPLY])
    const foreign = writers.find(({ person }) => person.site !== site)
    if (!foreign) continue
    await nurse.expectRefusal(404, 'GET', threadOf(study, foreign))
    record.refusals++
  }
  const { hasUnreadMessages } = await owner.get(`/trials/${trial._id}`)
  checks.equal('whether the trial has unread messages', hasUnreadMessages, false)
  return writers.length
}

/**
 * Notifies everybody in the app, and compares the preview, the answer and the threads. Returns how many were notified.
 * @param advance moves the clock a little, as the job for many people is performed by time
 */
export async function notifyEverybody(study: Study, advance: () => Promise<void>): Promise<number> {
  const { owner, trial, checks } = study
  const path = `/trials/${trial._id}/participants/notifications`
  const body = { message: NOTICE, filter: {}, sendVia: [] }
  const preview = await owner.post(`${path}?preview=true`, body)
  const { jobId, ...counts } = await owner.post(path, body)
  checks.equal('a notification and its preview', { ...counts, jobId: null }, preview)
  const active = notArchived(study).filter(({ state }) => state === 'active')
  checks.equal('how many are notified', counts.recipients, active.length)
  if (jobId) {
    await advance()
    checks.equal('what the job has sent', await resultOf(study, jobId), { sent: active.length })
  }
  for (const member of writersIn(study)) {
    const { messages } = await member.app.get('/participants/messages')
    const notices = messages.filter(({ message }: { message: string }) => message === NOTICE)
    checks.equal('the notification in a thread', notices.length, 1)
  }
  return active.length
}
