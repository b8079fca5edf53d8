/** A participant about whom almost every table holds something, with words that must not be left after an erasure. */
import { recordRemainingChanges } from '#audit/append'
import { personalTables } from '#db/personal'
import { rowById } from '#db/rows'
import { idempotencyKeys, participants } from '#db/tables/index'
import { parseInstant } from '#kernel/time'
import { messageParticipant } from '#outbox/messages'
import { authoredText } from '#texts/writer'
import { buildOnce } from '../../buildOnce'
import { shortCuts } from '../../study'
import { signatureStudy } from '../signatures/signatures.study'
import { bytes, putBytes, uploadRequestUrl } from '../uploads/uploads.study'

/** Personal information, as it stands in different places. */
export const personal = {
  ...{ name: 'Anna Quuxlind', dob: '1971-04-23', email: 'anna.quux@example.org', phone: '+44 7700 900123' },
  ...{ whatsapp: '+44 7700 900456', symptom: 'cough Quuxlind', draft: 'draftQuux', message: 'Dear Quuxlind' },
  ...{ note: 'noteQuux', event: 'eventQuux', description: 'scanQuux', meeting: 'callQuux', wrote: 'wroteQuux' },
  ...{ answer: 'answerQuux', eaten: 'bowlQuux', notified: 'Bring your diary, Mrs Quux' },
  ...{ ignored: 'ignoredQuux', query: 'Is Quuxlind right?', device: 'QuuxPhone/1.0', address: '203.0.113.77' },
}

async function build() {
  const s = await signatureStudy()
  const { owner, anna, trial, ids, stage, db } = s
  const at = `/trials/${trial}/participants/${anna}` as const
  for (const code of ['symptom', 'letter']) await owner.put(`/data-types/${ids[code]}`, { isPii: true })
  const { name, dob, email, phone, whatsapp } = personal
  await owner.put(at, { name, dob, email, phone, whatsapp, timezone: 'Europe/Berlin' })
  await owner.put(at, { name: `${name} B`, phone })
  const site = (await owner.post(`/trials/${trial}/sites`, { name: 'North', id: 'N1' }))._id
  const group = (await owner.post(`/trials/${trial}/groups`, { name: 'Arm A' }))._id
  await owner.put(`/sites/${site}/memberships/${anna}`)
  await owner.put(`/groups/${group}/memberships/${anna}`)
  const anchor = (await owner.post(`/trials/${trial}/anchors`, { name: 'Surgery', assignmentRule: { type: 'manual' } }))
    ._id
  await owner.post(`/trials/${trial}/stages`, {
    ...{ name: 'Check', isAnchored: true, anchorSchedule: [{ anchor, dayOffset: 90 }] },
  })
  await owner.put(`${at}/anchors/${anchor}`, { datetime: '2026-03-01T08:00:00Z' })
  await owner.post(`${at}/grants`, { sendVia: ['sms'] })
  await owner.put(`${at}/pin`)
  await owner.post(`${at}/stages/${stage}/tokens`, {})

  const upload = async (code: string, type: string) => {
    const { signedRequestURL, fileName } = await owner.get(uploadRequestUrl('participant', anna, { type }))
    await putBytes(s, signedRequestURL, bytes, type)
    return { [code]: { fileName, name: `${code}.bin` } }
  }
  const { token } = await s.nobody.post('/participants/sessions', {
    ...{ trialCode: (await owner.get(`/trials/${trial}`)).code, participantId: 'P-1', password: 'correct horse' },
  })
  const app = s.person({ Authorization: `Bearer ${token}`, 'User-Agent': personal.device }, personal.address)
  const files = { ...(await upload('letter', 'application/pdf')), ...(await upload('photo', 'image/png')) }
  const answers = s.sent({ pulse: 72, symptom: personal.symptom, ...files })
  const sent = await app.call(
    'POST',
    `/participants/trials/${trial}/stages/${stage}/responses`,
    { ...answers, unknown: { value: personal.ignored } },
    { headers: { 'Idempotency-Key': 'once' } },
  )
  const refused = { entry: 'e-1', stage, response: { [ids.symptom!]: { value: personal.ignored } } }
  await app.post('/participants/held', refused)
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
  const own = sent.body._id as string
  await owner.post(`/trials/${trial}/responses/${own}/validations`)
  await s.app.post(s.url, { participant: anna, meaning: 'Reviewed' })
  await owner.put(`${at}/responses/${stage}?draft=true`, { response: s.sent({ symptom: personal.draft }) })
  const question = { response: own, dataType: ids.symptom, text: personal.query }
  await owner.call('POST', `/trials/${trial}/queries`, question, { headers: { 'Idempotency-Key': 'asked' } })
  const pulse = { response: own, dataType: ids.pulse, text: 'Pulse at rest?' }
  const { _id: asked } = await owner.post(`/trials/${trial}/queries`, pulse)
  await owner.put(`/queries/${asked}`, { status: 'closed' })
  await owner.delete(`/trials/${trial}/responses/${s.second}`, { reason: 'entered twice' })
  const nurse = s.staff(trial, ['trial.readParticipants'])
  const appointment = { duration: 30, personnel: [nurse._id] }
  const late = await owner.post(`/trials/${trial}/stages`, { name: 'Overdue form', availabilityWindowHours: 1 })
  await owner.post(`${at}/stageOverrides`, { stage: late._id, enableAt: '2026-02-01T08:00:00Z' })
  await owner.put(`/trials/${trial}`, { foodDiariesEnabled: true })
  const portion = { size: 182, unit: 'grams', description: personal.eaten } as const
  await owner.post(`${at}/foodDiaryEntries`, { date: '2026-03-02', meal: 'lunch', foodId: 171688, portion })
  await owner.post(`${at}/notes`, { note: personal.note, inRelationToDate: '2026-03-01' })
  const { event: title, description, meeting } = personal
  await owner.post(`${at}/events`, { ...appointment, title, description, startsAt: '2026-03-10T09:00:00Z' })
  await owner.post(`${at}/meetings`, { ...appointment, name: meeting, startAt: '2026-03-11T09:00:00Z' })
  await app.post('/participants/calendar-link')
  await app.post('/participants/messages', { message: personal.wrote })
  await owner.put(`${at}/messages`, {})
  await owner.post(`${at}/messages`, { message: personal.answer, sendVia: ['email'] })
  await owner.post(`/trials/${trial}/participants/notifications`, {
    ...{ message: personal.notified, participants: [anna], sendVia: ['sms'] },
  })
  const row = rowById(db, participants, anna)!
  messageParticipant(db, parseInstant(s.now())!, row, {
    subject: authoredText(personal.message),
    body: authoredText(`${personal.message} `.repeat(1_000)), // on several pages of the file
  })
  const sql = (statement: string) => db.$client.run(statement)
  sql(`INSERT INTO sentReminders VALUES ('${anna}', '${stage}', 0, 'behind', 1)`)
  sql(`INSERT INTO passwordQueue VALUES ('${anna}', 'job')`)
  sql(`INSERT INTO dueNotifications VALUES ('${own}', 'c', 1, 1, NULL, 'Drink water', '[]')`)
  sql(`INSERT INTO notificationQueue VALUES ('job', '${anna}')`)
  const told = { name: 'Hub', url: 'https://hub.example.org/', events: ['participant.changed'] }
  const webhook = (await owner.post(`/trials/${trial}/webhooks`, told))._id
  sql(
    `INSERT INTO webhookDeliveries VALUES ('d', 1, '${webhook}', 1, 'participant.changed', '${anna}', '${anna}', 'failed', 1, NULL, ${parseInstant(s.now())!})`,
  )
  sql(`INSERT INTO webhookAttempts VALUES ('d', 1, 1, 9, 500, 'It answered 500.', 'Unknown person: Anna Quux')`)
  sql(`INSERT INTO insightTexts VALUES ('i', 1, 'x', '${trial}', '${anna}', 'm', 'Anna Quux sleeps well.', '[]')`)
  sql(`INSERT INTO sentAppointmentReminders SELECT _id, startsAt, 'day', 'participant', 1 FROM appointments`)
  sql(`INSERT INTO tasks (_id, createdAt, trial, taskLane, "index", title, status, assignees, participant)
    SELECT 'a00000000000000000000001', 1, trial, _id, 0, 'Call P-1', 'pending', '[]', '${anna}' FROM taskLanes LIMIT 1`)
  recordRemainingChanges(db, parseInstant(s.now())!)
  const { components, bert, carl, second } = s
  return { w: s, made: { study: { trial, ids, stage, components, anna, bert, carl }, own, second, files, token } }
}

/** A study with such a participant, and how to look into all its tables. */
export async function person() {
  const { w, made } = await buildOnce('person', build)
  const { token, study: parts, ...about } = made
  const s = shortCuts(w, parts)
  const { db } = s
  return {
    ...s,
    ...about,
    at: `/trials/${s.trial}/participants/${s.anna}` as const,
    participantApp: s.person({ Authorization: `Bearer ${token}` }),
    /** The tables with rows about a participant. */
    tablesAbout: (participant: string) =>
      Object.entries(personalTables).flatMap(([table, { rows }]) =>
        db.$client.query(`SELECT 1 FROM "${table}" WHERE ${rows} LIMIT 1`).get({ participant }) ? [table] : [],
      ),
    /** Everything in the database, as text, and the answers that are kept for repetitions. */
    everything: () =>
      [
        ...(db.$client.query(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[]).map(
          ({ name }) => JSON.stringify(db.$client.query(`SELECT * FROM "${name}"`).all()),
        ),
        ...db
          .select()
          .from(idempotencyKeys)
          .all()
          .map(({ answer }) => (answer.length ? `${Buffer.from(Bun.zstdDecompressSync(answer))}` : '')),
      ].join('\n'),
  }
}
