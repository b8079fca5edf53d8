/** The messages in study records (docs/exports.md, "Study records"). */
import { expect, test } from 'bun:test'
import { HOUR, parseInstant } from '#kernel/time'
import { messageStudy } from '../../conduct/messages/messages.study'
import { firstOf } from '../../present'
import { until } from '../../until'
import { downloaded, ended, manifestIn, partsOf, recordOf, rowsIn } from './archive'

/** Makes a study record. Returns its parts and what the job says about it. */
async function recordIn({ owner, trial, fetch }: Awaited<ReturnType<typeof messageStudy>>) {
  const { jobId } = await owner.do('exportStudyRecord', trial)
  const { request, ...about } = recordOf(await ended(owner, jobId))
  return { ...about, parts: partsOf(await downloaded({ fetch }, request)) }
}

test('a study record has every message, with its sender, its attachments and what became of it', async () => {
  const s = await messageStudy()
  const { owner, nurse, me, trial, thread } = s
  const [letter, scan] = [await s.upload(), await s.upload(s.anna, me, undefined)]
  const unused = await s.upload()
  await nurse.post<'sendMessage'>(thread, {
    message: '=1+1 pills?',
    sendVia: ['email', 'push'],
    attachments: [letter, scan],
  })
  s.clock(HOUR)
  await me.do('markOwnMessagesRead')
  const readAt = s.now()
  await me.do('sendOwnMessage', { message: 'Two, "thanks"\nand a scan', attachments: [scan] })
  await owner.do('notifyParticipants', trial, { message: 'Closed', filter: {} })
  await (await s.signIn('P-10')).do('sendOwnMessage', { message: 'Left' })
  await owner.do('updateParticipant', trial, s.carl, { isArchived: true })
  const other = (await owner.do('createTrial', s.team, { name: 'Other' }))._id
  const elsewhere = (await owner.do('registerParticipants', other, { participantId: 'X-1' }))._id
  await owner.do('sendMessage', other, elsewhere, { message: 'Elsewhere' })

  const { parts, counts, amiss } = await recordIn(s)
  const rows = rowsIn(parts, 'messages.csv')
  const shown = rows.map((row) => [row.participantId, row.type, row.sender, row.senderEmail, row.title, row.message])
  expect(shown).toEqual([
    ['P-1', 'message', 'user', nurse.email, '', '=1+1 pills?'],
    ['P-1', 'message', 'participant', '', '', 'Two, "thanks"\nand a scan'],
    ['P-1', 'notification', 'user', owner.email, 'Breath study', 'Closed'],
    ['P-2', 'notification', 'user', owner.email, 'Breath study', 'Closed'],
  ])
  expect(rows.map((row) => [row.attachments, row.readAt, row.deliveries])).toEqual([
    [`${letter}; ${scan}`, readAt, 'email notSent; push unreachable'],
    [scan, '', ''],
    ['', '', 'push unreachable'],
    ['', '', 'push unreachable'],
  ])
  const { messages } = await owner.get<'listMessages'>(thread)
  expect(rows.slice(0, 2).map((row) => [row._id, row.createdAt])).toEqual(
    messages.map(({ _id, createdAt }) => [_id, createdAt]),
  )
  expect([counts.messages, counts.files, amiss]).toEqual([4, 2, []])
  expect(manifestIn(parts).said).toEqual(manifestIn(parts).true)
  for (const name of [letter, scan]) expect(`${parts.get(`files/${name}`)}`).toBe('a scan')
  expect(parts.has(`files/${unused}`)).toBe(false)
})

test('many messages are read in pages: each is there once, those of a participant in their order', async () => {
  const s = await messageStudy()
  const now = parseInstant(s.now())!
  const insert = s.db.$client.query(
    `INSERT INTO messages SELECT format('%s%012x', $prefix, value), $now, $participant, value, value % 3 = 0,
       iif(value % 3 = 0, 'notice', 'message'), NULL, NULL, value, '[]', '[]' FROM json_each($numbers)`,
  )
  const sizes = { [s.anna]: 500, [s.bert]: 1, [s.carl]: 1_203 }
  for (const [at, [participant, size]] of Object.entries(sizes).entries()) {
    const numbers = JSON.stringify(Array.from({ length: size }, (_, n) => n + 1))
    insert.run({ prefix: `aaaaaaaaaaa${at}`, now, participant, numbers })
  }
  const { parts, counts } = await recordIn(s)
  const rows = rowsIn(parts, 'messages.csv')
  expect(counts.messages).toBe(1_704)
  for (const [participantId, size] of [
    ['P-1', 500],
    ['P-2', 1],
    ['P-10', 1_203],
  ] as const) {
    const numbers = rows.filter((row) => row.participantId === participantId).map(({ message }) => Number(message))
    expect([participantId, numbers]).toEqual([participantId, Array.from({ length: size }, (_, n) => n + 1)])
  }
})

test('the record of a lock has the messages up to the lock, although writing goes on', async () => {
  const s = await messageStudy()
  const { owner, me, trial } = s
  await me.do('sendOwnMessage', { message: 'before' })
  const app = await s.signInStaff(owner)
  await app.do('confirmIdentity', { password: 'harbour lantern 71' })
  const { pool } = s.service.services
  const { perform } = pool
  const { promise, resolve } = Promise.withResolvers<void>()
  pool.perform = async (...task) => {
    await promise
    return perform(...task)
  }
  await app.do('updateTrial', trial, { isDatabaseLocked: true, databaseLockJustification: 'All data is in and clean.' })
  s.clock(HOUR)
  await s.nurse.put<'markMessagesRead'>(s.thread)
  await me.do('sendOwnMessage', { message: 'after' })
  resolve()
  const datasets = async () => (await owner.do('listLockedDatasets', trial)).datasets
  await until(async () => (await datasets())[0]?.status !== 'pending')
  const { request, counts } = firstOf(await datasets())
  const rows = rowsIn(partsOf(await downloaded(s, request)), 'messages.csv')
  expect(rows.map(({ message, readAt }) => [message, readAt])).toEqual([['before', '']])
  expect(counts).toMatchObject({ messages: 1 })
})
