/** The study's own texts in several languages, over HTTP: validation, answers to participants, messages, versions and copies. */
import { describe, expect, test } from 'bun:test'
import { HOUR } from '#kernel/time'
import { mailsIn } from '../../../conduct/timeline/reminders.sample'
import { present } from '../../../present'
import { asked, translated } from './translatedStudy'

describe('a participant', () => {
  test('is answered in their language, which changes neither data nor the version of the form', async () => {
    const s = await translated()
    const anna = await s.signIn()
    const open = (headers: Record<string, string> = {}) =>
      anna.call('GET', `${s.own}/${s.stage}` as const, undefined, { headers })
    const source = await open()
    expect([source.headers.get('content-language'), source.headers.get('vary')]).toEqual([
      'en',
      'Accept-Language, Accept-Encoding',
    ])
    expect(source.body).toMatchObject({ name: 'Visit', postSubmissionText: 'Thank you' })

    const byDevice = await open({ 'Accept-Language': 'pl, de-AT;q=0.9, en;q=0.1' })
    expect(byDevice.headers.get('content-language')).toBe('de')
    await anna.do('updateOwnParticipant', { language: 'de' })
    const { body: de, headers } = await open({ 'Accept-Language': 'fr' })
    expect(headers.get('content-language')).toBe('de')
    expect(de).toMatchObject({
      name: 'Besuch',
      postSubmissionText: 'Danke',
      version: (source.body as typeof de).version,
    })
    expect(asked(await anna.do('openStage', s.trial, s.stage), 'smoker')).toMatchObject({
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
    expect((await anna.do('readOwnTimeline', s.trial)).stages[0]?.name).toBe('Besuch')
    expect((await anna.do('readOwnTrial')).name).toBe('Atemstudie')

    const refused = await anna.call(
      'POST',
      `${s.own}/${s.stage}/responses` as const,
      s.sent({ pulse: 210, smoker: ['No'] }),
    )
    expect(JSON.stringify(refused.body)).toContain('Zu hoch')
    const done = await anna.do('submitResponse', s.trial, s.stage, s.sent({ pulse: 110, smoker: ['No'] }))
    expect(done).toMatchObject({ postSubmissionText: 'Danke', onScreenMessages: ['Ruhen Sie'] })
    const { responses } = await s.owner.do('readParticipantResponses', s.trial, s.anna)
    expect(s.values(present(responses[0]))).toMatchObject({ smoker: ['No'], pulse: 110 })
    const { messages } = await anna.do('listOwnMessages')
    expect(messages.map(({ message }) => message)).toContain('Rufen Sie an')
  })

  test('is told of options as they read them, in each language as far as it goes', async () => {
    const s = await translated()
    const { options } = await s.owner.do('readDataType', s.ids.smoker!)
    const [yes, no] = present(options)
    await s.owner.do('updateDataType', s.ids.smoker!, {
      multiple: true,
      options: [yes!, { ...no!, isExclusive: true }, { label: 'Never', code: '2' }],
    })
    const anna = await s.signIn()
    const send = async (smoker: string[]) => {
      const headers = { 'Accept-Language': 'de' }
      const path = `${s.own}/${s.stage}/responses` as const
      const { status, body } = await anna.call('POST', path, s.sent({ pulse: 70, smoker }), { headers })
      return [status, body.details?.problems?.[s.ids.smoker!]?.params]
    }
    expect(await send(['Perhaps'])).toEqual([400, { title: 'Rauchen Sie?', options: 'Ja, Nein, Never' }])
    expect(await send(['Ja'])).toEqual([400, { title: 'Rauchen Sie?', options: 'Ja, Nein, Never' }])
    expect(await send(['Yes', 'No'])).toEqual([400, { title: 'Rauchen Sie?', option: 'Nein' }])
    expect(await send(['Yes', 'Yes'])).toEqual([400, { title: 'Rauchen Sie?', option: 'Ja' }])
    expect((await send(['Never']))[0]).toBe(200)
  })

  test('gets messages in their language also when staff enter the answers', async () => {
    const s = await translated()
    const anna = await s.signIn()
    await anna.do('updateOwnParticipant', { language: 'de' })
    await s.enter({ pulse: 120, smoker: ['Yes'] })
    const { messages } = await anna.do('listOwnMessages')
    expect(messages.map(({ message }) => message)).toContain('Rufen Sie an')
  })

  test('is reminded in their language, under the title of the study in it', async () => {
    const s = await translated()
    const reminders = [
      { hour: 1, body: 'Fill it in', sendVia: ['email'], translations: { de: { body: 'Bitte ausfüllen' } } },
      { hour: 2, title: 'Again', body: 'Please', sendVia: ['email'] },
    ]
    await s.owner.do('updateStage', s.stage, { reminders })
    await s.owner.do('updateParticipant', s.trial, s.anna, { language: 'de', email: 'anna@example.org' })
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
    const { token } = await s.owner.do('createStageToken', s.trial, s.anna, s.stage, {})
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
    const made = await s.owner.post<'createParticipantResource'>(all, { ...diet, translations: { de } })
    expect(made.translations).toEqual({ de: { title: 'Ernährung', html: '<p>Gut essen.</p>' } })
    const anna = await s.signIn()
    await anna.do('updateOwnParticipant', { language: 'de' })
    const { resources } = await anna.do('listOwnResources', s.trial)
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
  await s.owner.do('updateTrial', s.trial, { languages: ['en'] })
  expect((await s.owner.do('updateStage', s.stage, { description: 'New' })).translations).toMatchObject({
    de: { name: 'Besuch' },
  })
})

describe('the first language', () => {
  const first = (s: Awaited<ReturnType<typeof translated>>, languages: string[], more = {}) =>
    s.owner.call('PUT', s.at, { languages, ...more })

  test('cannot be one that only the study itself, or only a resource, is translated into', async () => {
    const s = await translated()
    const other = await s.owner.do('createTrial', s.team, { name: 'Other' })
    const at = `/trials/${other._id}` as const
    await s.owner.do('updateTrial', other._id, { languages: ['en', 'de'], translations: { de: { name: 'Andere' } } })
    expect((await s.owner.call('PUT', at, { languages: ['de', 'en'] })).status).toBe(400)
    await s.owner.do('updateTrial', other._id, { translations: null })
    const texts = { title: 'Diet', html: '<p>Eat.</p>', translations: { de: { title: 'Kost' } } }
    await s.owner.do('createParticipantResource', other._id, { type: 'text', ...texts })
    expect((await s.owner.call('PUT', at, { languages: ['de', 'en'] })).status).toBe(400)
  })

  test('cannot become one that texts are translated into by a detour through an empty list', async () => {
    const s = await translated()
    expect((await first(s, [])).status).toBe(200)
    const { status, body } = await first(s, ['de', 'en'])
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('translated into de')])
    expect((await first(s, ['en', 'de'])).status).toBe(200)
  })

  test('may change together with the removal of the only translations', async () => {
    const s = await translated()
    const other = await s.owner.do('createTrial', s.team, { name: 'Other' })
    const at = `/trials/${other._id}` as const
    await s.owner.do('updateTrial', other._id, { languages: ['en', 'de'], translations: { de: { name: 'Andere' } } })
    expect((await s.owner.call('PUT', at, { languages: ['de', 'en'], translations: null })).status).toBe(200)
  })
})

test('a language is listed once', async () => {
  const s = await translated()
  const { status, body } = await s.owner.call('PUT', s.at, { languages: ['en', 'de', 'de'] })
  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('de')])
})

test('the log of a study has its translations, not from which texts they were made', async () => {
  const s = await translated()
  await s.owner.do('updateTrial', s.trial, { translations: { de: { name: 'Atmung' } } })
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'updateTrial' })
  expect(entries[0]?.event).toMatchObject({
    before: { translations: { de: { name: 'Atemstudie' } } },
    after: { translations: { de: { name: 'Atmung' } } },
  })
  expect(JSON.stringify(entries)).not.toContain('translatedFrom')
})

test('a copy of a study under another name is not called by the name of the original in any language', async () => {
  const s = await translated()
  await s.owner.do('updateTrial', s.trial, {
    translations: { de: { name: 'Atemstudie', defaultNotificationTitle: 'Atem' } },
  })
  const copy = await s.owner.do('createTrial', s.team, { name: 'Second study', copyFrom: s.trial })
  expect(copy.translations).toEqual({ de: { defaultNotificationTitle: 'Atem' } })
  const { texts } = await s.owner.do('listUntranslatedTexts', copy._id, { language: 'de' })
  expect(texts[0]).toMatchObject({ key: 'trial/name', source: 'Second study', reason: 'missing' })
})

test('versions, copies of trials and of stages have the translations', async () => {
  const s = await translated()
  const { snapshot, number } = await s.owner.do('createConfigurationVersion', s.trial)
  expect(JSON.stringify(snapshot)).toContain('Rauchen Sie?')
  expect(JSON.stringify(snapshot)).not.toContain('translatedFrom')
  await s.owner.do('updateStage', s.stage, { translations: { de: { name: 'Termin' } } })
  const later = await s.owner.do('createConfigurationVersion', s.trial)
  const { changes } = await s.owner.do('readConfigurationVersion', s.trial, later.number, { against: number })
  expect(present(changes).map(({ path }) => path)).toContain('stages["Visit"].translations.de.name')

  const copy = await s.owner.do('createTrial', s.team, { name: 'Copy', copyFrom: s.trial })
  const { stages } = await s.owner.do('listStages', copy._id)
  expect(stages[0]?.translations).toEqual({ de: { name: 'Termin' } })
  const other = await s.owner.do('createTrial', s.team, { name: 'Other' })
  await s.owner.do('updateTrial', other._id, { languages: ['en', 'fr'] })
  const across = await s.owner.do('createStage', other._id, { copyFrom: s.stage })
  expect(JSON.stringify(across)).not.toContain('Termin')
  await s.owner.do('updateTrial', other._id, { languages: ['en', 'de'] })
  const again = await s.owner.do('createStage', other._id, { copyFrom: s.stage, name: 'Second' })
  expect(again.translations).toEqual({ de: { name: 'Termin' } })
})
