/** Notifications to many (docs/messages.md, "Notifications to many"). */
import { describe, expect, test } from 'bun:test'
import { firstOf } from '../../present'
import { notificationStudy } from './notifications.study'

const nobody = { push: 0, email: 0, sms: 0, whatsapp: 0 }

describe('a selection', () => {
  test('of participants, groups and a filter adds up, and everybody is notified once', async () => {
    const s = await notificationStudy()
    const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm' }))._id
    await s.owner.do('addGroupMember', group, s.anna)
    await s.owner.do('addGroupMember', group, s.bert)
    const cases: [Record<string, unknown>, string[]][] = [
      [{ participants: [s.carl, s.carl] }, ['P-10']],
      [{ groups: [group] }, ['P-1', 'P-2']],
      [{ participants: [s.anna, s.carl], groups: [group, group] }, ['P-1', 'P-10', 'P-2']],
      [{ filter: {} }, ['P-1', 'P-10', 'P-2']],
      [{ filter: { term: '1' } }, ['P-1', 'P-10']],
      [{ filter: { term: '1' }, participants: [s.bert, s.anna] }, ['P-1', 'P-10', 'P-2']],
      [{ filter: { groupsExclude: group } }, ['P-10']],
      [{ filter: { groupsInclude: group, term: '2' } }, ['P-2']],
      [{ filter: { joinedJoined: true } }, ['P-1']],
      [{ participants: [] }, []],
    ]
    for (const [selection, expected] of cases) {
      const before = s.notified().length
      const preview = await s.notify(selection, s.owner, '?preview=true')
      expect([selection, s.notified().length]).toEqual([selection, before])
      const { body, status } = await s.notify(selection)
      expect([selection, status, body.recipients, body.jobId]).toEqual([selection, 200, expected.length, null])
      expect(preview.body).toEqual(body)
      expect([selection, s.notified().slice(before).sort()]).toEqual([selection, expected])
    }
  })

  test('leaves out archived and withdrawn participants', async () => {
    const s = await notificationStudy()
    await s.owner.put<'updateParticipant'>(s.self, { isWithdrawn: true })
    await s.owner.do('updateParticipant', s.trial, s.bert, { isArchived: true })
    const { body } = await s.notify({ participants: [s.anna, s.bert, s.carl], filter: { includeArchived: true } })
    expect(body).toEqual({ recipients: 1, skipped: 2, reached: nobody, unreachable: 1, jobId: null })
    expect(s.notified()).toEqual(['P-10'])
  })

  test('of nobody is refused, and so is one with what is not in the trial', async () => {
    const s = await notificationStudy()
    const elsewhere = s.neighbours()
    const trial = (await elsewhere.owner.do('createTrial', elsewhere.team, { name: 'Theirs' }))._id
    const theirs = (await elsewhere.owner.do('registerParticipants', trial, { participantId: 'X' }))._id
    const group = (await elsewhere.owner.do('createGroup', trial, { name: 'Theirs' }))._id
    const cases: [Record<string, unknown>, number, string][] = [
      [{}, 422, 'participants: Choose by participants, groups or a filter.'],
      [{ participants: [s.anna, theirs] }, 404, 'There is no such participant'],
      [{ groups: [group] }, 404, 'There is no such group'],
      [{ filter: { groupsInclude: 'nonsense-nonsense-nonsense' } }, 422, 'filter: groupsInclude: Must be _ids of 24'],
      [{ filter: { page: 2 } }, 422, 'filter'],
      [{ filter: {}, message: '' }, 422, 'message'],
      [{ filter: {}, message: '  ' }, 422, 'message'],
      [{ filter: {}, message: 'x'.repeat(101) }, 422, 'message'],
      [{ filter: {}, sendVia: ['fax'] }, 422, 'sendVia'],
    ]
    for (const [body, status, message] of cases) {
      for (const query of ['', '?preview=true']) {
        const answer = await s.notify(body, s.owner, query)
        expect([body, answer.status]).toEqual([body, status])
        expect(answer.body.message).toContain(message)
      }
    }
    expect(s.notified()).toEqual([])
    expect((await s.notify({ filter: {}, message: 'x'.repeat(100) })).status).toBe(200)
  })
})

test('the preview says how many are reached by which channel, and the outbox has the same', async () => {
  const s = await notificationStudy()
  s.db.$client.run(`UPDATE participants SET pushToken = 'x' WHERE _id = '${s.bert}'`)
  const counts = { recipients: 3, skipped: 0, reached: { push: 1, email: 1, sms: 1, whatsapp: 0 } }
  for (const [sendVia, unreachable, expected] of [
    [undefined, 2, ['push']],
    [['push', 'email', 'email'], 1, ['email', 'push']],
    [['whatsapp'], 3, []],
    [[], 3, []],
    [['push', 'email', 'sms', 'whatsapp'], 1, ['email', 'sms', 'push']],
  ] as const) {
    s.db.$client.run('DELETE FROM outbox')
    const body = { filter: {}, ...(sendVia && { sendVia }) }
    const { body: preview } = await s.notify(body, s.owner, '?preview=true')
    expect([sendVia, preview]).toEqual([sendVia, { ...counts, unreachable, jobId: null }])
    expect(s.mails()).toEqual([])
    await s.notify(body)
    expect([sendVia, s.mails(`status = 'notSent'`).map(({ channel }) => channel)]).toEqual([sendVia, [...expected]])
    const missed = s.mails(`status = 'unreachable'`)
    expect([sendVia, missed.length]).toEqual([sendVia, sendVia?.length === 0 ? 0 : unreachable])
    const by = [...new Set<string>(sendVia ?? ['push'])].join(', ')
    for (const { detail } of missed) expect(detail).toBe(`The participant cannot be reached by ${by}.`)
  }
})

test('it is in the thread of each as what it is, and in the audit trail of each', async () => {
  const s = await notificationStudy()
  const admin = s.staff(s.trial, ['trial.admin'])
  await s.notify({ participants: [s.anna, s.bert], sendVia: ['sms'] }, admin)
  const message = (await s.me.do('listOwnMessages')).messages[1]
  expect(message).toMatchObject({ type: 'notification', message: 'The clinic is closed.', sender: { type: 'system' } })
  const { automaticMessages } = await s.nurse.get<'listMessages'>(s.thread)
  expect(automaticMessages[1]).toMatchObject({
    ...{ type: 'notification', title: 'Breath study', sender: { type: 'user', _id: admin._id } },
    deliveries: [{ channel: 'sms', status: 'notSent' }],
  })
  const log = async (type: string) => (await s.owner.do('readLogs', s.trial, { type })).entries
  expect(firstOf(await log('sendNotification'))).toMatchObject({
    userEmail: admin.email,
    event: { sendVia: ['sms'] },
  })
  const trail = JSON.stringify(s.db.$client.query('SELECT event, personal FROM auditEntries').all())
  expect(trail).not.toContain('closed')
  const entries = await log('notifyParticipant')
  expect(entries.map(({ participantId, userEmail }) => [participantId, userEmail])).toEqual([
    ['P-2', admin.email],
    ['P-1', admin.email],
  ])
  const before = (await log('sendNotification')).length
  await s.notify({ filter: {} }, admin, '?preview=true')
  expect(await log('sendNotification')).toHaveLength(before)
})

test('it needs trial.admin', async () => {
  const s = await notificationStudy()
  for (const [words, status] of [
    [['trial.write', 'trial.support', 'trial.writeParticipants'], 403],
    [['trial.admin'], 200],
  ] as const) {
    expect((await s.notify({ filter: {} }, s.staff(s.trial, [...words]))).status).toBe(status)
  }
})

describe('an administrator of a site', () => {
  async function ofSite() {
    const s = await notificationStudy()
    const north = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
    const south = (await s.owner.do('createSite', s.trial, { name: 'South', id: 'S1' }))._id
    await s.owner.do('addSiteMember', north, s.anna)
    await s.owner.do('addSiteMember', south, s.bert)
    const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm' }))._id
    for (const _id of [s.anna, s.bert]) await s.owner.do('addGroupMember', group, _id)
    return { ...s, north, south, group, admin: s.staff(s.trial, ['trial.admin'], north) }
  }

  test('reaches the participants there, and learns nothing of others', async () => {
    const s = await ofSite()
    for (const selection of [{ filter: {} }, { groups: [s.group] }, { filter: { site: s.north } }]) {
      const { body } = await s.notify(selection, s.admin)
      expect([body.recipients, body.skipped]).toEqual([1, 0])
    }
    expect((await s.notify({ filter: { site: s.south } }, s.admin)).body).toMatchObject({ recipients: 0, skipped: 0 })
    expect(s.notified()).toEqual(['P-1', 'P-1', 'P-1'])
    for (const query of ['', '?preview=true']) {
      const foreign = await s.notify({ participants: [s.anna, s.bert] }, s.admin, query)
      const made = await s.notify({ participants: [s.anna, 'f'.repeat(24)] }, s.admin, query)
      expect([foreign.status, foreign.body]).toEqual([404, made.body])
    }
    await s.owner.do('updateParticipant', s.trial, s.bert, { isArchived: true })
    expect((await s.notify({ filter: { includeArchived: true } }, s.admin)).body.skipped).toBe(0)
  })

  test('is refused for a participant whom they only see', async () => {
    const s = await ofSite()
    s.db.$client
      .query('INSERT INTO permissions VALUES (?, ?, ?, ?)')
      .run(s.admin._id, s.trial, s.south, '["site.readParticipants"]')
    const { status, body } = await s.notify({ participants: [s.anna, s.bert] }, s.admin)
    expect([status, body.details.needs]).toEqual([403, ['trial.admin']])
    expect((await s.notify({ filter: {} }, s.admin)).body.recipients).toBe(1)
  })

  test('an entry of a notification tells a reader who sees some participants nothing of others', async () => {
    const s = await ofSite()
    await s.notify({ filter: {}, participants: [s.bert] })
    await s.notify({ filter: { term: 'P-2', scheduleOnSchedule: true } })
    const reader = s.staff(s.trial, ['site.readParticipants'], s.north)
    s.db.$client
      .query('INSERT INTO permissions VALUES (?, ?, ?, ?)')
      .run(reader._id, s.trial, s.trial, '["trial.readLogs"]')
    const { entries } = await reader.do('readLogs', s.trial)
    const shown = entries.filter(({ type }) => type === 'sendNotification' || type === 'notifyParticipant')
    expect(shown.map(({ type, participantId }) => [type, participantId])).toEqual([
      ['sendNotification', undefined],
      ['notifyParticipant', 'P-1'],
      ['sendNotification', undefined],
    ])
    expect(firstOf(shown).event).toMatchObject({ filter: { scheduleOnSchedule: true } })
    for (const each of [s.bert, 'P-2']) expect(JSON.stringify(shown)).not.toContain(each)
  })
})
