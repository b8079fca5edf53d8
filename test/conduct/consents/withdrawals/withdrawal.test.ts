/** After somebody has withdrawn the last of their consents: nothing more is taken from them, and nothing goes out to them. */
import { describe, expect, test } from 'bun:test'
import { verifyResponses } from '#conduct/responses/verify'
import { DAY, HOUR, MINUTE, parseInstant } from '#kernel/time'
import { firstOf, present } from '../../../present'
import { consentedStudy, EMAIL } from '../withdrawal.study'

type ConsentStudy = Awaited<ReturnType<typeof consentedStudy>>

/** Everything that writes to a participant by itself, or to many at once. */
async function writeByAllWays(s: ConsentStudy) {
  const at = (time: number) => new Date((present(parseInstant(s.now())) + time) / 1000).toISOString()
  const event = { title: 'Visit', startsAt: at(DAY + 2 * HOUR) }
  await s.owner.do('createEvent', s.trial, s.anna, event)
  const told = await s.owner.do('notifyParticipants', s.trial, {
    ...{ participants: [s.anna, s.bert], message: 'To all of you.', sendVia: ['email'] },
  })
  // Reminders of forms and of the event, and what submissions planned.
  for (let hour = 0; hour < 30; hour++) await s.pass(HOUR)
  return told
}

test('after the public flow the next submission is 403, and no message goes out; before it, both do', async () => {
  const s = await consentedStudy({}, { onSubmitRules: [] })
  await writeByAllWays(s)
  expect(s.messages().length).toBeGreaterThanOrEqual(2)
  expect((await s.own()).status).toBe(200)
  expect((await s.withdraw({ reason: 'No time.' })).status).toBe(200)
  const before = s.messages().length
  const refused = await s.own({ pulse: 71 })
  expect([refused.status, refused.body.details]).toMatchObject([
    403,
    { code: 'consentWithdrawn', consent: { formKey: 'main', status: 'withdrawn' } },
  ])
  await writeByAllWays(s)
  expect(s.messages().slice(before)).toEqual([])
})

test('what was in the outbox already is not sent, but a message that somebody of the team writes is', async () => {
  const s = await consentedStudy()
  await s.pass(2 * HOUR)
  expect(s.messages().filter(({ status }) => status === 'notSent').length).toBe(1)
  await s.withdraw()
  const { nextDue } = await import('#outbox/store')
  const due = () => nextDue(s.db, 'email', present(parseInstant(s.now())), true)
  // Codes to the address, which belong to nobody, come before it in the queue.
  s.db.$client.run(`UPDATE outbox SET dueAt = NULL WHERE participant IS NULL`)
  expect(due()?.hasLeft).toBe(1)
  s.db.$client.run(`UPDATE outbox SET dueAt = NULL`)
  await s.owner.do('sendMessage', s.trial, s.anna, {
    message: 'Please bring the drug back.',
    sendVia: ['email'],
  })
  expect(due()?.hasLeft).toBe(0)
})

test('the study team is told by e-mail and by a task, once, with the ID and without the name or the reason', async () => {
  const s = await consentedStudy()
  const nurse = s.staff(s.trial, ['trial.withdrawParticipants', 'trial.readParticipants'])
  const stranger = s.staff(s.trial, ['trial.readParticipants'])
  const site = await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' })
  const elsewhere = s.staff(s.trial, ['site.withdrawParticipants', 'site.readParticipants'], site._id)
  const second = s.add().consent
  await s.withdraw({ reason: 'My wife Quux does not want it.' }, [s.consent, second])
  const mails = (to: string) =>
    s.db.$client
      .query<{ subject: string; body: string }, [string]>('SELECT subject, body FROM outbox WHERE recipient = ?')
      .all(to)
  expect(mails(nurse.email)).toEqual([
    {
      subject: 'Breath study: participant P-1 has withdrawn their consent',
      body: expect.stringContaining('Nothing more is taken from them.'),
    },
  ])
  expect([mails(stranger.email), mails(elsewhere.email)]).toEqual([[], []])
  const { tasks } = await s.owner.do('listTasks', s.trial)
  expect(tasks).toMatchObject([
    { title: 'Breath study: participant P-1 has withdrawn their consent', participant: s.anna },
  ])
  expect(JSON.stringify([tasks, mails(nurse.email)])).not.toContain('Quux')
})

test('with another consent that is still good, everything goes on', async () => {
  const s = await consentedStudy()
  const { _id: other } = await s.owner.post<'createConsentForm'>(s.forms, {
    document: '<p>Blood.</p>',
    formKey: 'blood',
  })
  s.add(s.anna, other)
  await s.withdraw()
  expect((await s.own()).status).toBe(200)
  expect((await s.owner.do('listTasks', s.trial)).tasks).toEqual([])
  await s.owner.do('updateStage', s.stage, { requiresConsent: ['main'] })
  expect((await s.own({ pulse: 71 })).body.details.consent).toEqual({ formKey: 'main', status: 'withdrawn' })
})

describe('onConsentWithdrawal', () => {
  test('a study can let forms and messages go on, and want no task', async () => {
    const s = await consentedStudy({ onConsentWithdrawal: { stopForms: false, stopMessages: false, task: false } })
    await s.withdraw()
    expect((await s.own()).status).toBe(200)
    await s.owner.do('notifyParticipants', s.trial, {
      participants: [s.anna],
      message: 'All.',
      sendVia: ['email'],
    })
    await s.pass()
    expect(s.messages().length).toBeGreaterThan(0)
    expect((await s.owner.do('listTasks', s.trial)).tasks).toEqual([])
  })

  test('what it leaves out is on, and a change of it counts at once, for reminders too', async () => {
    const s = await consentedStudy({ onConsentWithdrawal: { stopMessages: false } })
    const { onConsentWithdrawal } = await s.owner.do('readTrial', s.trial)
    expect(onConsentWithdrawal).toEqual({ stopForms: true, stopMessages: false, task: true })
    await s.withdraw()
    expect((await s.own()).status).toBe(403)
    await s.owner.do('updateTrial', s.trial, { onConsentWithdrawal: { stopMessages: true } })
    await s.pass(3 * HOUR)
    expect(s.messages()).toEqual([])
    await s.owner.do('updateTrial', s.trial, { onConsentWithdrawal: { stopMessages: false } })
    await s.pass(MINUTE)
    expect(s.messages().map(({ body }) => body)).toEqual(['Please answer.'])
  })
})

test('staff who record a withdrawal have the same effects, and go on with a reason', async () => {
  const s = await consentedStudy()
  await s.owner.do('withdrawConsent', s.trial, s.consent, { reason: 'By telephone.' })
  const refused = await s.enter({ pulse: 70 })
  expect([refused.status, refused.body.details.consent.status]).toEqual([403, 'withdrawn'])
  expect((await s.enter({ pulse: 70 }, { withoutConsentReason: 'Measured before they withdrew.' })).status).toBe(200)
  expect((await s.owner.do('listTasks', s.trial)).tasks).toHaveLength(1)
})

test('a new consent opens it again, and reminders go on', async () => {
  const s = await consentedStudy()
  await s.withdraw()
  expect((await s.own()).status).toBe(403)
  s.add()
  expect((await s.own()).status).toBe(200)
  await s.owner.do('notifyParticipants', s.trial, {
    participants: [s.anna],
    message: 'All.',
    sendVia: ['email'],
  })
  await s.pass()
  expect(s.messages().map(({ body }) => body)).toContain('All.')
})

test('a participant who is signed in on a device of their own signs again by the same link, and it is theirs at once', async () => {
  const s = await consentedStudy()
  const ann = await s.signIn()
  await s.withdraw()
  const { token } = await ann.do('startConsentSession', 'breath', 'main', {})
  expect(await s.nobody.do('readConsentSession', token)).toMatchObject({ isInPerson: false, participantId: 'P-1' })
  const signed = { fullName: 'Ann Lee', signature: { method: 'typed', name: 'Ann Lee' } }
  const { status, body } = await s.nobody.call('POST', `/consent-sessions/${token}/consent`, signed)
  expect([status, body.signInCode]).toEqual([200, null])
  expect((await s.own()).status).toBe(200)
  const { consents } = await s.owner.do('listConsents', s.trial)
  expect(firstOf(consents)).toMatchObject({ participant: s.anna, startedBy: null, hasSignInCode: false })
  // Nobody's session is bound to whoever reads it later.
  const other = await s.nobody.do('startConsentSession', 'breath', 'main', {})
  expect((await ann.do('readConsentSession', other.token)).participantId).toBeNull()
})

describe('answers that were given before the withdrawal, and arrive after it', () => {
  async function late(s: ConsentStudy, change: { openedBefore?: boolean; given?: number } = {}) {
    const ann = await s.signIn()
    const stage = `/participants/trials/${s.trial}/stages/${s.stage}` as const
    const first = await ann.do('openStage', s.trial, s.stage)
    s.clock(MINUTE)
    const createdAt = s.now()
    await s.withdraw()
    const { opened } = change.openedBefore === false ? await ann.do('openStage', s.trial, s.stage) : first
    s.clock(HOUR)
    const at = change.given === undefined ? createdAt : s.now()
    return ann.call('POST', `${stage}/responses?opened=${encodeURIComponent(opened)}`, {
      [s.ids.pulse!]: { value: 70, createdAt: at },
    })
  }
  test('are taken, as the server proves that the form was opened before', async () => {
    const s = await consentedStudy()
    expect(await late(s)).toMatchObject({ status: 200, body: { sentLate: true } })
    const { entries } = await s.owner.do('readLogs', s.trial, { userType: 'participant', type: 'submitResponse' })
    expect(firstOf(entries).event).toMatchObject({ beforeWithdrawal: true })
  })
  test.each([
    ['the form was opened after the withdrawal', { openedBefore: false }, 'openedLate'],
    ['they were given after it', { given: 1 }, 'outsideWindow'],
  ])('are refused if %s', async (_, change, why) => {
    const s = await consentedStudy()
    const { status, body } = await late(s, change)
    expect([status, body.details.code, body.details.late]).toEqual([403, 'consentWithdrawn', why])
  })
  test('are taken of a form that is filled in ad hoc, also when it was sent before', async () => {
    const s = await consentedStudy({}, { adHoc: true, reminders: [] })
    expect((await s.own()).status).toBe(200)
    expect(await late(s)).toMatchObject({ status: 200, body: { sentLate: true } })
  })
  test.each([
    ['from before', {}, 200],
    ['whose form was opened after it', { openedAfter: true }, 403],
    ['without a proof of that', { withoutProof: true }, 403],
    ['from after it', { givenAfter: true }, 403],
    ['of somebody who chose that their answers go', { data: 'deleteAnswers' }, 403],
  ] as const)('and that the study refuses for another reason, are held: those %s', async (_, change, status) => {
    const c: { openedAfter?: boolean; withoutProof?: boolean; givenAfter?: boolean; data?: string } = change
    const s = await consentedStudy({ consentWithdrawalChoices: ['keep', 'deleteAnswers'] })
    const ann = await s.signIn()
    const stage = `/participants/trials/${s.trial}/stages/${s.stage}` as const
    const before = await ann.do('openStage', s.trial, s.stage)
    s.clock(MINUTE)
    const given = s.now()
    await s.withdraw(c.data ? { data: c.data } : {})
    if (c.data) await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: false })
    const { opened } = c.openedAfter ? await ann.do('openStage', s.trial, s.stage) : before
    s.clock(HOUR)
    s.db.$client.run('UPDATE trials SET isDatabaseLocked = 1 WHERE _id = ?', [s.trial])
    const response = { [s.ids.pulse!]: { value: 70, createdAt: c.givenAfter ? s.now() : given } }
    const url = `${stage}/responses?opened=${encodeURIComponent(opened)}`
    expect((await ann.call('POST', url, response)).status).toBe(403)
    const entry = { entry: 'e-1', stage: s.stage, response, ...(c.withoutProof ? {} : { opened }) }
    const held = await ann.call('POST', '/participants/held', entry)
    expect(held.status).toBe(status)
    if (status === 403) expect(held.body.details.code).toBe('consentWithdrawn')
  })
  test('are refused if the person chose that their answers go', async () => {
    const s = await consentedStudy({ consentWithdrawalChoices: ['keep', 'deleteAnswers'] })
    const ann = await s.signIn()
    const stage = `/participants/trials/${s.trial}/stages/${s.stage}` as const
    const { opened } = await ann.do('openStage', s.trial, s.stage)
    s.clock(MINUTE)
    const createdAt = s.now()
    await s.withdraw({ data: 'deleteAnswers' })
    const url = `${stage}/responses?opened=${encodeURIComponent(opened)}`
    const send = () => ann.call('POST', url, { [s.ids.pulse!]: { value: 70, createdAt } })
    expect((await send()).body.details.code).toBe('withdrawn')
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: false })
    expect((await send()).body.details.code).toBe('consentWithdrawn')
  })
})

describe('what becomes of the data', () => {
  test('is kept by default, and nothing else is offered', async () => {
    const s = await consentedStudy()
    await s.own()
    expect((await s.nobody.get(await s.prove())).choices).toEqual(['keep'])
    expect((await s.withdraw({ data: 'deleteAnswers' })).status).toBe(422)
    expect((await s.withdraw({ data: 'keep' })).status).toBe(200)
    expect((await s.owner.do('readParticipantResponses', s.trial, s.anna)).responses).toHaveLength(1)
    const { consents } = await s.owner.do('listConsents', s.trial)
    expect(firstOf(consents).withdrawalChoice).toBe('keep')
  })

  const OFFERED = {
    consentWithdrawalChoices: ['keep' as const, 'erasePersonalInformation' as const, 'deleteAnswers' as const],
  }

  test('can be deleted: the answers are gone as after a deletion by staff, and the trail verifies', async () => {
    const s = await consentedStudy(OFFERED)
    await s.own()
    expect((await s.nobody.get(await s.prove())).choices).toEqual(OFFERED.consentWithdrawalChoices)
    expect((await s.withdraw({ data: 'deleteAnswers' })).status).toBe(200)
    expect((await s.owner.do('readParticipantResponses', s.trial, s.anna)).responses).toEqual([])
    expect(await s.owner.do('readParticipant', s.trial, s.anna)).toMatchObject({
      isWithdrawn: true,
      email: EMAIL,
    })
    const { entries } = await s.owner.do('readLogs', s.trial, { userType: 'participant', type: 'deleteResponse' })
    expect(entries).toMatchObject([{ participantId: 'P-1', event: { stage: s.stage } }])
    // The same once more changes nothing.
    expect((await s.withdraw({ data: 'deleteAnswers' })).status).toBe(200)
    expect(
      (await s.owner.do('readLogs', s.trial, { userType: 'participant', type: 'deleteResponse' })).entries,
    ).toHaveLength(1)
  })

  test('can be erased as far as it is personal: the address is gone, the answers stay', async () => {
    const s = await consentedStudy(OFFERED)
    await s.own()
    const { status, body } = await s.withdraw({ data: 'erasePersonalInformation' })
    expect([status, body.consents]).toEqual([200, []])
    expect(await s.owner.do('readParticipant', s.trial, s.anna)).toMatchObject({
      isWithdrawn: true,
      email: null,
    })
    expect((await s.owner.do('readParticipantResponses', s.trial, s.anna)).responses).toHaveLength(1)
  })

  test('stays while another consent is good: then nothing is withdrawn either', async () => {
    const s = await consentedStudy(OFFERED)
    const { _id: other } = await s.owner.post<'createConsentForm'>(s.forms, {
      document: '<p>Blood.</p>',
      formKey: 'blood',
    })
    s.add(s.anna, other)
    const { status, body } = await s.withdraw({ data: 'deleteAnswers' })
    expect([status, body.details.code]).toEqual([400, 'consentedStill'])
    const { consents } = await s.owner.do('listConsents', s.trial)
    expect(consents.map(({ withdrawnAt }) => withdrawnAt)).toEqual([null, null])
  })

  test('stays while the database is locked; the consent is withdrawn all the same', async () => {
    const s = await consentedStudy(OFFERED)
    await s.own()
    s.db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
    expect((await s.nobody.get(await s.prove())).choices).toEqual(['keep'])
    expect((await s.withdraw({ data: 'deleteAnswers' })).status).toBe(422)
    expect((await s.withdraw()).status).toBe(200)
  })
})

test('the same request twice at once withdraws once, makes one task and deletes once; nothing is stored meanwhile', async () => {
  const s = await consentedStudy({ consentWithdrawalChoices: ['keep', 'deleteAnswers'] })
  await s.own()
  const url = await s.prove()
  const ann = await s.signIn()
  const answer = () =>
    ann.call('POST', `/participants/trials/${s.trial}/stages/${s.stage}/responses`, s.sent({ pulse: 75 }))
  const withdraw = () => s.nobody.call('POST', url, { consents: [s.consent], data: 'deleteAnswers' })
  const answers = await Promise.all([withdraw(), answer(), withdraw(), answer()])
  expect([answers[0]?.status, answers[2]?.status]).toEqual([200, 200])
  // An answer that came first was taken, and deleted with the others.
  expect((await answer()).status).toBe(403)
  expect((await s.owner.do('listTasks', s.trial)).tasks).toHaveLength(1)
  expect(s.db.$client.query('SELECT count(*) AS n FROM storedResponses').get()).toEqual({ n: 0 })
  expect(verifyResponses(s.db.$client)).toMatch(/^0 responses/)
  for (const wrong of [{ consents: ['half \ud83d'] }, { consents: [s.consent], data: 'x' }, { consents: [s.stage] }])
    expect([404, 422]).toContain((await s.nobody.call('POST', url, wrong)).status)
})

test.each([false, true])(
  'messages of rules and planned ones go out as long as the consent is not withdrawn (%p)',
  async (isGone) => {
    const s = await consentedStudy()
    const conditions = [{ id: 'c', operator: 'more', scoreThreshold: 0 }]
    const actions = [{ id: 'a', type: 'messageParticipant', message: 'By a rule.' }]
    const later = {
      ...{ id: 'later', type: 'scheduledNotification', title: 'Pill', notificationTitle: 'Pill' },
      ...{ notificationBody: 'Take it now.', notificationDelay: 60 },
    }
    const scored = s.components.map((each) =>
      each.id === 'pulse' ? { ...each, scoringRules: [{ id: 'r', points: 1, operator: 'more', value: 80 }] } : each,
    )
    const onSubmitRules = [{ id: 'tell', conditions, actions }]
    await s.owner.do('updateStage', s.stage, { components: [...scored, later], onSubmitRules, reminders: [] })
    expect((await s.own()).status).toBe(200)
    if (isGone) await s.withdraw()
    // The second one makes the rule hold.
    const more = isGone ? { withoutConsentReason: 'From the paper.' } : {}
    expect((await s.enter({ pulse: 99 }, more)).status).toBe(200)
    await s.pass(4 * HOUR)
    expect(
      s
        .messages()
        .map(({ body }) => body)
        .toSorted(),
    ).toEqual(isGone ? [] : ['By a rule.', 'Take it now.'])
  },
)
