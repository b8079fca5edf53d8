import { describe, expect, test } from 'bun:test'
import { queryStudy } from './queries.study'

describe('e-mails', () => {
  /** The recipients and texts of e-mails, in order. */
  const mailsIn = ({ db }: { db: Awaited<ReturnType<typeof queryStudy>>['db'] }) =>
    db.$client
      .query<{ recipient: string; subject: string; body: string }, []>(
        "SELECT recipient, subject, body FROM outbox WHERE channel = 'email' AND status = 'notSent' ORDER BY _id",
      )
      .all()

  test('go to each assignee once, and not to the person who assigned the query', async () => {
    const s = await queryStudy()
    const { body } = await s.raise({ assignees: [s.nurse._id, s.monitor._id] })
    const first = {
      recipient: s.nurse.email,
      subject: 'Breath study: a query for you',
      body: 'Study: Breath study\nParticipant P-1, form “Visit”\n',
    }
    expect(mailsIn(s)).toEqual([first])
    await s.monitor.do('updateQuery', body._id, { assignees: [s.nurse._id, s.monitor._id, s.owner._id] })
    expect(mailsIn(s)).toEqual([first, { ...first, recipient: s.owner.email }])
    await s.monitor.do('updateQuery', body._id, { status: 'answered', assignees: [s.nurse._id] })
    await s.nurse.do('updateQuery', body._id, { assignees: [s.nurse._id, s.monitor._id] })
    expect(mailsIn(s).map(({ recipient }) => recipient)).toEqual([s.nurse.email, s.owner.email, s.monitor.email])
  })

  test('go to the assignees and the person who raised the query when somebody else writes', async () => {
    const s = await queryStudy()
    const { body } = await s.raise({ assignees: [s.nurse._id, s.owner._id] })
    const write = async (by: typeof s.nurse, text: string) => {
      s.db.$client.run('DELETE FROM outbox')
      await by.do('answerQuery', body._id, { text })
      for (const { subject, body } of mailsIn(s)) {
        expect(subject).toBe('Breath study: a new message on a query')
        expect(body).toBe('Study: Breath study\nParticipant P-1, form “Visit”\n')
      }
      return mailsIn(s).map(({ recipient }) => recipient)
    }
    expect(await write(s.nurse, 'Yes, 72.')).toEqual([s.owner.email, s.monitor.email])
    expect(await write(s.monitor, 'With which device?')).toEqual([s.owner.email, s.nurse.email])
    s.db.$client.query('UPDATE users SET isDisabled = 1 WHERE _id = ?').run(s.owner._id)
    expect(await write(s.monitor, 'Well?')).toEqual([s.nurse.email])
    s.db.$client.query('DELETE FROM permissions WHERE user = ?').run(s.nurse._id)
    expect(await write(s.monitor, 'Hello?')).toEqual([])
  })

  test('do not go to people who cannot see the field', async () => {
    const s = await queryStudy()
    const trusted = s.staff(s.trial, ['trial.read', 'trial.readParticipantStudyDataRestricted'])
    const assignees = [s.nurse._id, trusted._id]
    const { body } = await s.raise({ assignees }, s.owner)
    await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: true })
    s.db.$client.run('DELETE FROM outbox')
    // Earlier assignees get no e-mail after the field is restricted, and people who cannot read it cannot be assigned.
    await s.owner.do('answerQuery', body._id, { text: 'Well?' })
    expect(mailsIn(s).map(({ recipient }) => recipient)).toEqual([trusted.email])
    expect((await s.raise({ assignees }, s.owner)).status).toBe(400)
    await s.raise({ assignees, dataType: null })
    expect(mailsIn(s).map(({ recipient }) => recipient)).toEqual([trusted.email, s.nurse.email, trusted.email])
  })

  test('are not sent for a refused request', async () => {
    const s = await queryStudy()
    expect((await s.raise({ assignees: [s.nurse._id, s.invite()._id] })).status).toBe(400)
    expect(mailsIn(s)).toEqual([])
  })

  test('name the occurrence, and no participant if the response has none', async () => {
    const s = await queryStudy()
    const series = { isRecurring: true, recurringFrequency: 1, recurringDuration: 3, name: 'Day %n' }
    await s.owner.do('updateStage', s.stage, series)
    const { body } = await s.enter({ pulse: 60 }, {}, s.owner, s.url(s.bert, `${s.stage}::2`))
    await s.raise({ response: body._id, assignees: [s.owner._id] })
    s.db.$client.query('UPDATE storedResponses SET participant = NULL WHERE _id = ?').run(body._id)
    await s.raise({ response: body._id, assignees: [s.owner._id] })
    expect(mailsIn(s).map(({ body }) => body.split('\n')[1])).toEqual([
      'Participant P-2, form “Day 3”',
      'Response of nobody yet, form “Day 3”',
    ])
  })
})
