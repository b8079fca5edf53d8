/** The study's own texts in several languages, over HTTP: validation, answers to participants, messages, versions and copies. */
import { describe, expect, test } from 'bun:test'
import { HOUR } from '#kernel/time'
import { mailsIn } from '../../conduct/timeline/reminders.sample'
import { present } from '../../present'
import { asked, translated } from './translated'

describe('a participant', () => {
  test('is answered in their language, which changes neither data nor the version of the form', async () => {
    const s = await translated()
    const anna = await s.signIn()
    const open = (headers: Record<string, string> = {}) =>
      anna.call('GET', `${s.own}/${s.stage}` as const, undefined, { headers })
    const source = await open()
    expect([source.headers.get('content-language'), source.headers.get('vary')]).toEqual(['en', 'Accept-Language'])
    expect(source.body).toMatchObject({ name: 'Visit', postSubmissionText: 'Thank you' })

    const byDevice = await open({ 'Accept-Language': 'pl, de-AT;q=0.9, en;q=0.1' })
    expect(byDevice.headers.get('content-language')).toBe('de')
    await anna.put('/participants/me', { language: 'de' })
    const { body: de, headers } = await open({ 'Accept-Language': 'fr' })
    expect(headers.get('content-language')).toBe('de')
    expect(de).toMatchObject({
      name: 'Besuch',
      postSubmissionText: 'Danke',
      version: (source.body as typeof de).version,
    })
    expect(asked(await anna.get(`${s.own}/${s.stage}` as const), 'smoker')).toMatchObject({
      title: 'Rauchen Sie?',
      description: 'Today',
      type: {
        name: 'Raucht',
        options: [
          { label: 'Yes', text: 'Ja' },
          { label: 'No', text: 'Nein' },
        ],
      },
    })
    expect(JSON.stringify(de)).not.toContain('translations')
    expect((await anna.get(s.own)).stages[0]?.name).toBe('Besuch')
    expect((await anna.get('/participants/trial')).name).toBe('Atemstudie')

    const refused = await anna.call(
      'POST',
      `${s.own}/${s.stage}/responses` as const,
      s.sent({ pulse: 210, smoker: ['No'] }),
    )
    expect(JSON.stringify(refused.body)).toContain('Zu hoch')
    const done = await anna.post(`${s.own}/${s.stage}/responses` as const, s.sent({ pulse: 110, smoker: ['No'] }))
    expect(done).toMatchObject({ postSubmissionText: 'Danke', onScreenMessages: ['Ruhen Sie'] })
    const { responses } = await s.owner.get(`/trials/${s.trial}/participants/${s.anna}/responses` as const)
    expect(s.values(present(responses[0]))).toMatchObject({ smoker: ['No'], pulse: 110 })
    const { messages } = await anna.get('/participants/messages')
    expect(messages.map(({ message }) => message)).toContain('Rufen Sie an')
  })

  test('gets messages in their language also when staff enter the answers', async () => {
    const s = await translated()
    const anna = await s.signIn()
    await anna.put('/participants/me', { language: 'de' })
    await s.enter({ pulse: 120, smoker: ['Yes'] })
    const { messages } = await anna.get('/participants/messages')
    expect(messages.map(({ message }) => message)).toContain('Rufen Sie an')
  })

  test('is reminded in their language, under the title of the study in it', async () => {
    const s = await translated()
    const reminders = [
      { hour: 1, body: 'Fill it in', sendVia: ['email'], translations: { de: { body: 'Bitte ausfüllen' } } },
      { hour: 2, title: 'Again', body: 'Please', sendVia: ['email'] },
    ]
    await s.owner.put(s.stageUrl, { reminders })
    await s.owner.put(`/trials/${s.trial}/participants/${s.anna}`, { language: 'de', email: 'anna@example.org' })
    for (const hour of [HOUR, HOUR]) {
      s.clock(hour)
      await s.service.services.tick()
    }
    const mails = mailsIn(s.service).filter(({ recipient }) => recipient === 'anna@example.org')
    expect(mails.map(({ subject, body }) => [subject, body])).toEqual([
      ['Atemstudie', 'Bitte ausfüllen'],
      ['Again', 'Please'],
    ])
  })

  test('opens a link in the language of the device', async () => {
    const s = await translated()
    const { token } = await s.owner.post(`/trials/${s.trial}/participants/${s.anna}/stages/${s.stage}/tokens`, {})
    const { body, headers } = await s.nobody.call('GET', `/stage-tokens/${token}`, undefined, {
      headers: { 'Accept-Language': 'de' },
    })
    expect(body).toMatchObject({ name: 'Besuch', trialName: 'Atemstudie' })
    expect(headers.get('content-language')).toBe('de')
  })

  test('sees resources in their language, with their HTML made safe', async () => {
    const s = await translated()
    const all = `${s.at}/participantResources` as const
    const diet = { type: 'text', title: 'Diet', html: '<p>Eat well.</p>' } as const
    const de = { title: 'Ernährung', html: '<p onclick="x()">Gut essen.</p><script>x</script>' }
    const made = await s.owner.post(all, { ...diet, translations: { de } })
    expect(made.translations).toEqual({ de: { title: 'Ernährung', html: '<p>Gut essen.</p>' } })
    const anna = await s.signIn()
    await anna.put('/participants/me', { language: 'de' })
    const { resources } = await anna.get(`/participants/trials/${s.trial}/resources` as const)
    expect(resources).toMatchObject([{ title: 'Ernährung', html: '<p>Gut essen.</p>' }])
    expect(JSON.stringify(resources)).not.toContain('Diet')
    for (const bad of [
      { it: de },
      { de: { html: '<script>x</script>' } },
      { de: { url: 'x' } },
      { de: { title: '\ud83d' } },
    ])
      expect((await s.owner.call('POST', all, { ...diet, translations: bad })).status).toBe(422)
  })
})

test('a language or a field that is not there is refused', async () => {
  const s = await translated()
  const put = (translations: unknown) => s.owner.call('PUT', s.stageUrl, { translations })
  for (const [bad, says] of [
    [{ it: { name: 'Visita' } }, 'does not have this language'],
    [{ en: { name: 'Visit' } }, 'texts themselves'],
    [{ de: { colour: 'rot' } }, 'colour'],
    [{ de: { name: 'x' } }, '2'],
    [{ de: { name: '\ud83dab' } }, 'half of a surrogate pair'],
  ] as const) {
    const { status, body } = await put(bad)
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(says)])
  }
  expect(
    (await s.owner.call('PUT', `/data-types/${s.ids.pulse!}`, { translations: { it: { name: 'Polso' } } })).status,
  ).toBe(422)
  expect((await s.owner.call('PUT', s.at, { translations: { it: { name: 'Studio' } } })).status).toBe(422)
  expect((await s.owner.call('PUT', s.at, { languages: ['de', 'en'] })).status).toBe(400)
  // A language that is taken away leaves its texts, and other changes are still possible.
  await s.owner.put(s.at, { languages: ['en'] })
  expect((await s.owner.put(s.stageUrl, { description: 'New' })).translations).toMatchObject({ de: { name: 'Besuch' } })
})

test('versions, copies of trials and of stages have the translations', async () => {
  const s = await translated()
  const { snapshot, number } = await s.owner.post(`${s.at}/configuration-versions`)
  expect(JSON.stringify(snapshot)).toContain('Rauchen Sie?')
  expect(JSON.stringify(snapshot)).not.toContain('translatedFrom')
  await s.owner.put(s.stageUrl, { translations: { de: { name: 'Termin' } } })
  const later = await s.owner.post(`${s.at}/configuration-versions`)
  const { changes } = await s.owner.get(`${s.at}/configuration-versions/${later.number}?against=${number}` as const)
  expect(present(changes).map(({ path }) => path)).toContain('stages["Visit"].translations.de.name')

  const copy = await s.owner.post(`/teams/${s.team}/trials`, { name: 'Copy', copyFrom: s.trial })
  const { stages } = await s.owner.get(`/trials/${copy._id}/stages`)
  expect(stages[0]?.translations).toEqual({ de: { name: 'Termin' } })
  const other = await s.owner.post(`/teams/${s.team}/trials`, { name: 'Other' })
  await s.owner.put(`/trials/${other._id}`, { languages: ['en', 'fr'] })
  const across = await s.owner.post(`/trials/${other._id}/stages`, { copyFrom: s.stage })
  expect(JSON.stringify(across)).not.toContain('Termin')
  await s.owner.put(`/trials/${other._id}`, { languages: ['en', 'de'] })
  const again = await s.owner.post(`/trials/${other._id}/stages`, { copyFrom: s.stage, name: 'Second' })
  expect(again.translations).toEqual({ de: { name: 'Termin' } })
})
