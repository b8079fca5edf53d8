import { describe, expect, test } from 'bun:test'
import { ruleStudy } from './notifications.study'

const action = (type: string, message?: string | null) => ({ id: `${type} ${message}`, type, message })

const rule = (id: string, operator: string, scoreThreshold: number, ...actions: unknown[]) => ({
  id,
  conditions: [{ id: `${id} c`, operator, scoreThreshold }],
  actions,
})

describe('rules on submission', () => {
  const alarm = { onSubmitRules: [rule('alarm', 'more', 4, action('notifyTeam', 'Look at this.'))] }

  test('notify every admin of the trial by e-mail, without answers or names', async () => {
    const { enter, mails, owner, trial, db, staff, invite, self } = await ruleStudy(alarm)
    await owner.put<'updateParticipant'>(self, { name: 'Anna Ash' })
    const admin = staff(trial, ['trial.admin'])
    staff(trial, ['trial.write'])
    const manager = invite(['trials.manage'])
    const byRole = invite([])
    const { _id } = await owner.do('createRole', trial, {
      name: 'Lead',
      permissions: { [trial]: ['trial.admin'] },
    })
    await owner.do('assignRole', byRole._id, _id)
    const disabled = staff(trial, ['trial.admin'])
    db.$client.query('UPDATE users SET isDisabled = 1 WHERE _id = ?').run(disabled._id)
    await enter({ pulse: 60 })
    expect(mails()).toEqual([])
    await enter({ pulse: 120, symptom: 'chest pain' })
    const sentMails = mails()
    expect(sentMails.map(({ recipient }) => recipient).sort()).toEqual(
      [owner.email, admin.email, manager.email, byRole.email].sort(),
    )
    expect(sentMails[0]).toMatchObject({
      channel: 'email',
      status: 'notSent',
      participant: null,
      subject: 'Breath study: “Visit” of participant P-1',
      body: 'Look at this.\n\nStudy: Breath study\nParticipant: P-1\nForm: Visit\n',
    })
    expect(JSON.stringify(sentMails)).not.toMatch(/\b120\b|chest|Anna/)
  })

  test('notify the participant on every channel that reaches them', async () => {
    const { enter, mails, anna, owner, trial } = await ruleStudy({
      onSubmitRules: [
        rule('calm', 'less', 3, action('messageParticipant', 'All is well.'), action('messageParticipant', '')),
      ],
    })
    await owner.do('updateTrial', trial, { defaultNotificationTitle: 'Breath' })
    await enter({ pulse: 70 })
    expect(mails()).toMatchObject([
      { channel: 'email', recipient: 'anna@example.org', participant: anna, subject: 'Breath', body: 'All is well.' },
      { channel: 'sms', recipient: '+44 7700 900123', participant: anna, subject: 'Breath', body: 'All is well.' },
    ])
  })

  test('apply to submissions of the participant too, and store messages that cannot be delivered', async () => {
    const { signIn, sent, trial, stage, mails, bert } = await ruleStudy({
      onSubmitRules: [rule('calm', 'less', 3, action('messageParticipant', 'All is well.'))],
    })
    const me = await signIn('P-2')
    await me.do('submitResponse', trial, stage, sent({ pulse: 70 }))
    expect(mails()).toMatchObject([{ participant: bert, recipient: '', status: 'unreachable', body: 'All is well.' }])
  })

  test('an amendment sends only messages that were not sent before', async () => {
    const { enter, mails } = await ruleStudy({
      onSubmitRules: [
        rule('any', 'more', 0, action('messageParticipant', 'Raised.')),
        rule('high', 'more', 4, action('messageParticipant', 'High.')),
      ],
    })
    const bodies = () => mails().flatMap(({ body, channel }) => (channel === 'email' ? [body] : []))
    await enter({ pulse: 70 })
    expect(bodies()).toEqual(['Raised.'])
    await enter({ pulse: 70 }) // nothing changed
    await enter({ pulse: 71 })
    expect(bodies()).toEqual(['Raised.'])
    await enter({ pulse: 120 })
    expect(bodies()).toEqual(['Raised.', 'High.'])
    await enter({ pulse: 50 })
    await enter({ pulse: 120 })
    expect(bodies()).toEqual(['Raised.', 'High.', 'Raised.', 'High.'])
  })

  test('a refused submission sends nothing, and withdrawn participants get no message', async () => {
    const { enter, mails, owner, self } = await ruleStudy({
      onSubmitRules: [rule('high', 'more', 4, action('messageParticipant', 'High.'), action('notifyTeam'))],
    })
    expect((await enter({ pulse: 120, symptom: 'x' })).status).toBe(400)
    expect(mails()).toEqual([])
    await owner.put<'updateParticipant'>(self, { isWithdrawn: true })
    await enter({ pulse: 120 })
    expect(mails().map(({ channel, participant }) => [channel, participant])).toEqual([['email', null]])
    expect(mails()[0]!.body).toStartWith('A submission calls for your attention.')
  })
})
