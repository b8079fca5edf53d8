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
  for (const code of ['symptom', 'letter']) await owner.do('updateDataType', ids[code], { isPii: true })
  const { name, dob, email, phone, whatsapp } = personal
  await owner.do('updateParticipant', trial, anna, { name, dob, email, phone, whatsapp, timezone: 'Europe/Berlin' })
  await owner.do('updateParticipant', trial, anna, { name: `${name} B`, phone })
  const site = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
  const group = (await owner.do('createGroup', trial, { name: 'Arm A' }))._id
  await owner.do('addSiteMember', site, anna)
  await owner.do('addGroupMember', group, anna)
  const anchor = (await owner.do('createAnchor', trial, { name: 'Surgery', assignmentRule: { type: 'manual' } }))._id
  await owner.do('createStage', trial, {
    ...{ name: 'Check', isAnchored: true, anchorSchedule: [{ anchor, dayOffset: 90 }] },
  })
  await owner.do('setAnchorDate', trial, anna, anchor, { datetime: '2026-03-01T08:00:00Z' })
  await owner.do('createGrant', trial, anna, { sendVia: ['sms'] })
  await owner.do('setParticipantPin', trial, anna)
  await owner.do('createStageToken', trial, anna, stage, {})

  const upload = async (code: string, type: string) => {
    const { signedRequestURL, fileName } = await owner.get(uploadRequestUrl('participant', anna, { type }))
    await putBytes(s, signedRequestURL, bytes, type)
    return { [code]: { fileName, name: `${code}.bin` } }
  }
  const { token } = await s.nobody.do('signInParticipant', {
    ...{ trialCode: (await owner.do('readTrial', trial)).code, participantId: 'P-1', password: 'correct horse' },
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
  await app.do('holdEntry', refused)
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
  const own = sent.body._id as string
  await owner.do('verifyResponse', trial, own)
  await s.app.do('signResponses', s.trial, { participant: anna, meaning: 'Reviewed' })
  await owner.do(
    'enterResponse',
    trial,
    anna,
    stage,
    { response: s.sent({ symptom: personal.draft }) },
    { draft: true },
  )
  const question = { response: own, dataType: ids.symptom, text: personal.query }
  await owner.call('POST', `/trials/${trial}/queries`, question, { headers: { 'Idempotency-Key': 'asked' } })
  const pulse = { response: own, dataType: ids.pulse, text: 'Pulse at rest?' }
  const { _id: asked } = await owner.do('raiseQuery', trial, pulse)
  await owner.do('updateQuery', asked, { status: 'closed' })
  await owner.do('deleteResponse', trial, s.second, { reason: 'entered twice' })
  const nurse = s.staff(trial, ['trial.readParticipants'])
  const appointment = { duration: 30, personnel: [nurse._id] }
  const late = await owner.do('createStage', trial, { name: 'Overdue form', availabilityWindowHours: 1 })
  await owner.do('moveStageOpening', trial, anna, { stage: late._id, enableAt: '2026-02-01T08:00:00Z' })
  await owner.do('updateTrial', trial, { foodDiariesEnabled: true })
  const portion = { size: 182, unit: 'grams', description: personal.eaten } as const
  await owner.do('createFoodDiaryEntry', trial, anna, { date: '2026-03-02', meal: 'lunch', foodId: 171688, portion })
  await owner.do('createNote', trial, anna, { note: personal.note, inRelationToDate: '2026-03-01' })
  const { event: title, description, meeting } = personal
  await owner.do('createEvent', trial, anna, { ...appointment, title, description, startsAt: '2026-03-10T09:00:00Z' })
  await owner.do('createMeeting', trial, anna, { ...appointment, name: meeting, startAt: '2026-03-11T09:00:00Z' })
  await app.do('createOwnCalendarLink')
  await app.do('sendOwnMessage', { message: personal.wrote })
  await owner.do('markMessagesRead', trial, anna, {})
  await owner.do('sendMessage', trial, anna, { message: personal.answer, sendVia: ['email'] })
  await owner.do('notifyParticipants', trial, {
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
  const webhook = (await owner.do('createWebhook', trial, told))._id
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
