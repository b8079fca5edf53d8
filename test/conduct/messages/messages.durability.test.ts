/** How messages are kept: once each, across a kill, unchanged until they are erased (docs/messages.md, "Threads"). */
import { expect, test } from 'bun:test'
import { problemsIn } from '#cli/checks'
import { afterKill } from '../../harness'
import { firstOf, present } from '../../present'
import { messageStudy } from './messages.study'

test('a message is in the audit trail without its text, and is kept across a kill', async () => {
  const s = await messageStudy()
  const sent = await s.nurse.post<'sendMessage'>(s.thread, { message: 'Your result is fine.', sendVia: ['email'] })
  await s.me.do('sendOwnMessage', { message: 'Thank goodness.' })
  await s.nurse.put<'markMessagesRead'>(s.thread, {})
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'sendMessage' })
  expect(firstOf(entries)).toMatchObject({
    ...{ userEmail: s.nurse.email, participantId: 'P-1' },
    event: { message: sent._id, sendVia: ['email'], attachments: 0 },
  })
  const own = await s.owner.do('readLogs', s.trial, { type: 'sendMessage', userType: 'participant' })
  expect(own.entries).toHaveLength(1)
  const trail = JSON.stringify(s.db.$client.query('SELECT event, personal FROM auditEntries').all())
  expect(trail).not.toMatch(/result|goodness/)
  const { services } = afterKill(s)
  const kept = services.db.$client.query('SELECT message FROM messages ORDER BY number').values()
  expect(kept).toEqual([['Your result is fine.'], ['Thank goodness.']])
})

test('a repeated request with an Idempotency-Key writes one message', async () => {
  const s = await messageStudy()
  const headers = { 'Idempotency-Key': 'once' }
  const [one, two] = await Promise.all(
    [1, 2].map(() => s.me.call('POST', '/participants/messages', { message: 'Hello' }, { headers })),
  )
  expect(present(one).body).toEqual(present(two).body)
  expect((await s.nurse.get<'listMessages'>(s.thread)).messages).toHaveLength(1)
})

test('a deleted participant takes the thread along; nothing else deletes a message or what was read', async () => {
  const s = await messageStudy()
  await s.nurse.post<'sendMessage'>(s.thread, { message: 'Hello' })
  await s.me.do('sendOwnMessage', { message: 'Hello' })
  await s.nurse.put<'markMessagesRead'>(s.thread, {})
  const run = (sql: string) => () => s.db.$client.run(sql)
  expect(run('DELETE FROM messages')).toThrow('messages are kept')
  expect(run('DELETE FROM messageReads')).toThrow('what was read is not changed')
  await s.owner.delete<'deleteParticipant'>(s.self, { reason: 'a test' })
  const count = (table: string) => s.db.$client.query(`SELECT count(*) FROM ${table}`).values()[0]
  expect([count('messages'), count('messageReads')]).toEqual([[0], [0]])
})

test('a message changes in one way only: the erasure of its participant empties it', async () => {
  const s = await messageStudy()
  const bert = await s.signIn('P-2')
  await s.owner.post<'sendMessage'>(s.thread, { message: 'Dear Anna', attachments: [await s.upload()] })
  await s.owner.do('notifyParticipants', s.trial, { message: 'To all', filter: {} })
  for (const by of [s.me, bert]) await by.do('sendOwnMessage', { message: 'Hello' })
  const emptied = { message: `''`, title: 'NULL', attachments: `'[]'` }
  const set = (columns: Record<string, string>, participant: string) => () =>
    s.db.$client
      .query(
        `UPDATE messages SET ${Object.entries(columns).map((each) => each.join(' = '))} WHERE participant = '${participant}'`,
      )
      .run()
  const others = {
    ...{ _id: `_id || 'x'`, createdAt: 'createdAt + 1', participant: `'${s.carl}'`, number: 'number + 100' },
    ...{ isAutomatic: '1 - isAutomatic', type: `'reminder'`, user: `'x'`, reveals: `'["x"]'` },
  }
  const changes: Record<string, string>[] = [
    { message: `'Changed'` },
    { title: `'Changed'` },
    { attachments: `'["x"]'` },
    ...Object.entries(others).map(([column, value]) => ({ [column]: value })),
  ]
  const texts = () =>
    s.db.$client
      .query<{ message: string }, []>(`SELECT message FROM messages WHERE message <> '' AND participant <> '${s.carl}'`)
      .all()
  for (const change of [...changes, emptied, { message: `''` }])
    expect(set(change, s.anna), JSON.stringify(change)).toThrow('messages are not changed')
  const before = texts()
  await s.owner.put<'updateParticipant'>(s.self, { isWithdrawn: true })
  await s.owner.post<'erasePersonalInformation'>(`${s.self}/erasure`, { reason: 'asked by letter' })
  const thread = await s.owner.get<'listMessages'>(s.thread)
  const shown = [...thread.messages, ...thread.automaticMessages.slice(1)]
  expect(shown.map(({ message, title, attachments }) => [message, title, attachments])).toEqual(
    Array(3).fill(['', null, []]),
  )
  for (const change of changes) expect(set(change, s.anna), JSON.stringify(change)).toThrow('messages are not changed')
  expect(set(emptied, s.anna)).not.toThrow()
  expect(set(emptied, s.bert)).toThrow('messages are not changed')
  expect([before.length, texts().length]).toEqual([5, 2]) // those of the other participant stay
  expect(problemsIn(s.db.$client)).toEqual([])
})
