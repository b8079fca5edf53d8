/** Everybody is written to in their own language, else in the trial's, else in English; a trial's own texts come first. */
import { describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '#kernel/time'
import { world } from '../harness'
import { present } from '../present'
import { study } from '../study'

type Mail = { recipient: string; subject: string | null; body: string; isSecret: number; expiresAt: number }

async function languages() {
  const s = await study()
  const path = `/trials/${s.trial}` as const
  return {
    ...s,
    path,
    sent: () =>
      s.db.$client
        .query<Mail, []>('SELECT recipient, subject, body, isSecret, expiresAt FROM outbox ORDER BY _id')
        .all(),
    set: (fields: Record<string, unknown>) => s.owner.do('updateTrial', s.trial, fields),
  }
}

test('notices come in the language of each participant, in the trial’s own words where it has some', async () => {
  const { owner, set, db, anna, bert, carl, service, clock, sent, trial } = await languages()
  await set({
    languages: ['es', 'de'],
    texts: { de: { 'behindSchedule.body.one': 'Bitte denken Sie an {forms}.' } },
    behindScheduleNotices: ['email'],
  })
  for (const [who, language] of [
    [anna, 'de'],
    [bert, 'fr'],
    [carl, null],
  ] as const)
    await owner.do('updateParticipant', trial, who, { email: `${who}@example.org`, language })
  await service.services.tick()
  clock(DAY + HOUR)
  await service.services.tick()
  expect(db.$client.query('SELECT stagesBehindSchedule AS n FROM participants').all()).toEqual([
    { n: 1 },
    { n: 1 },
    { n: 1 },
  ])
  expect(new Map(sent().map(({ recipient, body }) => [recipient.slice(0, 24), body]))).toEqual(
    new Map([
      [anna, 'Bitte denken Sie an „Visit“.'],
      [bert, 'Merci de remplir encore ce formulaire\u00a0: «\u00a0Visit\u00a0».'],
      [carl, 'Por favor, complete este formulario pendiente: «Visit».'],
    ]),
  )
})

test('a participant’s language is set at registration, by staff and by themselves, and is recorded', async () => {
  const { owner, path, signIn, anna, trial } = await languages()
  const made = await owner.do('registerParticipants', trial, { participantId: 'P-4', language: 'de-CH' })
  expect(made.language).toBe('de-CH')
  const app = await signIn()
  expect((await app.do('updateOwnParticipant', { language: 'fr' })).participant).toMatchObject({
    language: 'fr',
    timezone: null,
  })
  expect((await app.do('updateOwnParticipant', { timezone: 'Europe/Paris' })).participant.language).toBe('fr')
  expect((await owner.do('readParticipant', trial, anna)).language).toBe('fr')
  expect((await owner.do('updateParticipant', trial, anna, { language: null })).language).toBeNull()
  for (const language of ['DE', 'deutsch', 'de_DE', '', 'x'])
    expect((await owner.call('PUT', `${path}/participants/${anna}`, { language })).status).toBe(422)
  const { entries } = await owner.do('readLogs', trial, { type: 'updateParticipant' })
  expect(entries[0]).toMatchObject({ event: { before: { language: 'fr' }, after: { language: null } } })
})

test('e-mails to staff come in their language, the task on the board in the trial’s', async () => {
  const { owner, set, stage, ids, enter, staff, trial, db, sent } = await languages()
  const admin = staff(trial, ['trial.admin'])
  db.$client.run(`UPDATE users SET language = 'fr' WHERE _id = ?`, [admin._id])
  await set({ languages: ['de'] })
  const { components } = await owner.do('readStage', stage)
  const scoringRules = [{ id: 'r', points: 1, operator: 'more', value: 1 }]
  await owner.do('updateStage', stage, {
    components: present(components).map((each) => (each.dataType === ids.pulse ? { ...each, scoringRules } : each)),
    onSubmitRules: [
      {
        id: 's',
        conditions: [{ id: 'c', operator: 'equal', scoreThreshold: 1 }],
        actions: [{ id: 'a', type: 'notifyTeam' }],
      },
    ],
  })
  await enter({ pulse: 60 })
  expect(
    sent()
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual(
    [
      'Breath study : « Visit », participant P-1'
        .replace(' :', '\u00a0:')
        .replace('« ', '«\u00a0')
        .replace(' »', '\u00a0»'),
      'Breath study: „Visit“ von Teilnehmer/in P-1',
    ].sort(),
  )
  const { tasks } = await owner.do('listTasks', trial)
  expect(tasks).toMatchObject([
    {
      title: 'Breath study: „Visit“ von Teilnehmer/in P-1',
      description: expect.stringContaining('Bitte sehen Sie sich'),
    },
  ])
})

test('a task and a query are told in the assignee’s language', async () => {
  const { owner, staff, trial, db, enter, sent } = await languages()
  const nurse = staff(trial, ['trial.write'])
  db.$client.run(`UPDATE users SET language = 'de' WHERE _id = ?`, [nurse._id])
  await owner.do('createTask', trial, {
    title: 'Labor anrufen',
    assignees: [nurse._id],
    dueDate: '2026-03-05T08:00:00Z',
  })
  const { body } = await enter({ pulse: 60 })
  await owner.do('raiseQuery', trial, { response: body._id, text: 'Right?', assignees: [nurse._id] })
  expect(sent()).toMatchObject([
    {
      subject: 'Breath study: eine Aufgabe für Sie',
      body: 'Olga Owner hat Ihnen eine Aufgabe zugewiesen.\n\nStudie: Breath study\nAufgabe: Labor anrufen\nFällig: 2026-03-05 08:00 UTC\n',
    },
    {
      subject: 'Breath study: eine Rückfrage für Sie',
      body: 'Studie: Breath study\nTeilnehmer/in P-1, Formular „Visit“\n',
    },
  ])
})

test('an invitation comes in the language that it names, and so do later e-mails to the account', async () => {
  const { owner, team, nobody, signIn, db } = world()
  const { setupUrl, _id } = await owner.do('inviteMember', team, {
    email: 'eva@example.org',
    name: 'Eva',
    language: 'de',
  })
  const mails = () => db.$client.query('SELECT subject, body FROM outbox ORDER BY _id').all() as Mail[]
  expect(mails()).toMatchObject([
    { subject: expect.stringMatching(/^Ihr Zugang zu /), body: expect.stringContaining('72 Stunden') },
  ])
  await nobody.post<'completeSetup'>(`/setup/${present(setupUrl).split('/').at(-1)!}`, {
    password: 'harbour lantern 71',
  })
  await nobody.do('requestPasswordReset', { email: 'eva@example.org' })
  expect(mails()[1]).toMatchObject({ subject: 'Neues Passwort' })
  const eva = await signIn({ _id, email: 'eva@example.org' })
  expect((await eva.do('readOwnUser')).language).toBe('de')
  expect((await eva.do('updateOwnUser', { language: 'es' })).language).toBe('es')
  await nobody.do('requestPasswordReset', { email: 'eva@example.org' })
  expect(mails()[2]).toMatchObject({ subject: 'Nueva contraseña' })
})

describe('a sign-in link', () => {
  test('is sent in the participant’s language by the channels named, with the time in their zone', async () => {
    const { owner, anna, sent, trial } = await languages()
    await owner.do('updateParticipant', trial, anna, {
      phone: '+44 7700 900123',
      email: 'anna@example.org',
      language: 'de',
      timezone: 'Europe/Berlin',
    })
    const { url } = await owner.do('createGrant', trial, anna, { expiresInDays: 1, sendVia: ['sms'] })
    expect(sent()).toMatchObject([
      {
        recipient: '+44 7700 900123',
        subject: 'Breath study',
        body: `Ihr persönlicher Link zu Breath study: ${url}\nEr gilt einmalig bis 03.03.2026, 13:00. Bitte geben Sie ihn nicht weiter.`,
        isSecret: 1,
      },
    ])
  })

  test('is not sent without a channel, and is told as unreachable without an address', async () => {
    const { owner, path, anna, sent, trial } = await languages()
    const at = `${path}/participants/${anna}/grants` as const
    await owner.post<'createGrant'>(at, {})
    await owner.post<'createGrant'>(at, { sendVia: [] })
    expect(sent()).toEqual([])
    await owner.post<'createGrant'>(at, { sendVia: ['email'] })
    expect((await owner.do('readMessages', trial)).messages).toMatchObject([{ status: 'unreachable' }])
    expect((await owner.call('POST', at, { sendVia: ['fax'] })).status).toBe(422)
  })
})

describe('the texts of a trial', () => {
  test('are listed with the service’s and its own', async () => {
    const { owner, path, set } = await languages()
    await set({ texts: { it: { 'query.study': 'Studio: {trial}' } } })
    const { texts } = await owner.get<'listTexts'>(`${path}/texts`)
    expect(texts.find(({ key }) => key === 'query.study')).toEqual({
      key: 'query.study',
      placeholders: ['trial'],
      texts: {
        en: 'Study: {trial}\n',
        de: 'Studie: {trial}\n',
        fr: 'Étude\u00a0: {trial}\n',
        es: 'Estudio: {trial}\n',
      },
      own: { it: 'Studio: {trial}' },
    })
    expect(texts.some(({ key }) => key.startsWith('account.'))).toBe(false)
  })

  test.each([
    [{ de: { nothing: 'x' } }, 'de.nothing: There is no such text: GET /trials/:trialId/texts lists them.'],
    [
      { de: { 'account.reset.subject': 'x' } },
      'de.account.reset.subject: There is no such text: GET /trials/:trialId/texts lists them.',
    ],
    [{ de: { 'query.study': 'Von {name}' } }, 'de.query.study: Has no {name}; it can have {trial}.'],
    [{ de: { 'submission.attention': '{x}' } }, 'de.submission.attention: Has no {x}; it can have nothing in braces.'],
    [{ de: { 'signInLink.body': 'Bis {date}' } }, 'de.signInLink.body: Must contain {url}.'],
    [{ de: { 'query.study': '  ' } }, 'de.query.study: Must not be blank.'],
    [{ de: { 'taskAssigned.subject': 'A\nB' } }, 'de.taskAssigned.subject: Must be one line, without line breaks.'],
    [{ german: { 'query.study': 'x' } }, 'german: Must be a language such as de or pt-BR.'],
  ])('%j is refused', async (texts, problem) => {
    const { owner, path, db } = await languages()
    const { status, body } = await owner.call('PUT', path, { texts, name: 'Renamed' })
    expect([status, body.validations]).toEqual([422, { json: { texts: [problem] } }])
    expect(db.$client.query('SELECT name FROM trials').get()).toEqual({ name: 'Breath study' })
  })

  test('are configuration: a lock refuses to change them, a copy takes them over', async () => {
    const { owner, team, path, set, trial, db } = await languages()
    const texts = { de: { 'query.study': 'Studie {trial}' } }
    await set({ texts, languages: ['de'] })
    const copy = await owner.do('createTrial', team, { name: 'Copy', copyFrom: trial })
    expect(copy).toMatchObject({ texts, languages: ['de'] })
    db.$client.run('UPDATE trials SET isLocked = 1')
    expect((await owner.call('PUT', path, { texts: {} })).status).toBe(403)
    expect((await owner.call('PUT', path, { languages: [] })).status).toBe(403)
  })
})
