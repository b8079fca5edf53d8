/** Where a consent is required: each way in is refused without it, and staff go on with a reason that is in the trail. */
import { describe, expect, test } from 'bun:test'
import type { Answer } from '../../harness'
import { firstOf, present } from '../../present'
import { study } from '../../study'
import { consentedStudy } from './withdrawal.study'

const REASON = 'The consent is on paper, see the binder.'

type ConsentStudy = Awaited<ReturnType<typeof consentedStudy>>

/** Bert has not signed. */
const missing = { code: 'consentMissing', consent: { formKey: 'main', status: 'missing' } }

const asBert = (s: ConsentStudy) => s.signIn('P-2')

/** What staff do with Bert, with more in the body. */
const byStaff: Record<string, (s: ConsentStudy, more: object) => Promise<Answer>> = {
  'an entry': (s, more) => s.owner.call('PUT', s.url(s.bert), { response: s.sent({ pulse: 70 }), ...more }),
  'a draft': (s, more) =>
    s.owner.call('PUT', `${s.url(s.bert)}?draft=true`, { response: s.sent({ pulse: 70 }), ...more }),
  'an entry of a food diary': (s, more) =>
    s.owner.call('POST', `/trials/${s.trial}/participants/${s.bert}/foodDiaryEntries`, {
      ...{ date: '2026-03-01', meal: 'lunch', foodId: 173944, portion: { size: 118, unit: 'grams' } },
      ...more,
    }),
}

/** What Bert does himself. */
const byBert: Record<string, (s: ConsentStudy) => Promise<Answer>> = {
  'an answer': async (s) =>
    (await asBert(s)).call(
      'POST',
      `/participants/trials/${s.trial}/stages/${s.stage}/responses`,
      s.sent({ pulse: 70 }),
    ),
  'an answer by a link': async (s) => {
    const { token } = await s.owner.do('createStageToken', s.trial, s.bert, s.stage)
    return s.nobody.call('POST', `/stage-tokens/${token}/responses`, s.sent({ pulse: 70 }))
  },
  'an entry that the study refused': async (s) =>
    (await asBert(s)).call('POST', '/participants/held', {
      ...{ entry: 'an-entry-of-bert', stage: s.stage, code: 'closed', message: 'It was closed.' },
      response: s.sent({ pulse: 70 }),
    }),
  'an entry of a food diary': async (s) =>
    (await asBert(s)).call('POST', '/participants/foodDiaryEntries', {
      ...{ date: '2026-03-01', meal: 'lunch', foodId: 173944, portion: { size: 118, unit: 'grams' } },
    }),
  'an import of a wearable': async (s) =>
    (await asBert(s)).call('POST', '/participants/hardwareImports', { service: 'fitbit', storedName: 'none.zip' }),
}

const WHOLE = { requiresConsent: ['main'], foodDiariesEnabled: true }

describe('a consent that the trial requires', () => {
  test.each(Object.keys(byStaff))('is required of %s, unless staff say why not', async (what) => {
    const s = await consentedStudy(WHOLE)
    const act = byStaff[what]!
    const refused = await act(s, {})
    expect([refused.status, refused.body.details]).toEqual([403, expect.objectContaining(missing)])
    expect((await act(s, { withoutConsentReason: 'no' })).status).toBe(422)
    expect((await act(s, { withoutConsentReason: 'half \ud83d an emoji' })).status).toBe(422)
    const { status } = await act(s, { withoutConsentReason: REASON })
    expect(status).toBe(200)
    const { entries } = await s.owner.do('readLogs', s.trial)
    expect(firstOf(entries).event.withoutConsent).toEqual({ formKey: 'main', status: 'missing', reason: REASON })
    s.add(s.bert)
    expect((await act(s, {})).status).toBe(200)
    const { entries: later } = await s.owner.do('readLogs', s.trial)
    // A draft has one entry for its beginning, however often it is saved.
    const added = later.slice(0, later.length - entries.length)
    expect(added.filter(({ event }) => event.withoutConsent)).toEqual([])
  })

  test.each(Object.keys(byBert))('is required of %s, and nothing is stored without it', async (what) => {
    const s = await consentedStudy(WHOLE)
    const act = byBert[what]!
    const refused = await act(s)
    expect([refused.status, refused.body.details]).toEqual([403, expect.objectContaining(missing)])
    for (const table of ['storedResponses', 'heldEntries', 'foodDiaryEntries'])
      expect(s.db.$client.query(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 })
    s.add(s.bert)
    // What is wrong besides is said only then.
    expect([200, 400]).toContain((await act(s)).status)
  })

  test('is asked for in the app before a form is filled in, with the page on which it is signed', async () => {
    const s = await consentedStudy(WHOLE)
    const bert = await asBert(s)
    const link = expect.stringContaining('/app/consent/breath/main')
    const needed = { formKey: 'main', status: 'missing' as const, link }
    expect((await bert.do('readOwnParticipant')).consentNeeded).toEqual(needed)
    expect((await bert.do('openStage', s.trial, s.stage)).consent).toEqual(needed)
    s.add(s.bert)
    expect((await bert.do('readOwnParticipant')).consentNeeded).toBeUndefined()
    expect((await bert.do('openStage', s.trial, s.stage)).consent).toBeUndefined()
  })
})

test('by default nothing is required, and the answers have no new field', async () => {
  const s = await study()
  const { requiresConsent } = await s.owner.do('readTrial', s.trial)
  expect(requiresConsent).toEqual([])
  expect((await s.enter({ pulse: 70 })).status).toBe(200)
  const bert = await s.signIn('P-2')
  expect(await bert.do('readOwnParticipant')).not.toHaveProperty('consentNeeded')
  expect(await bert.do('openStage', s.trial, s.stage)).not.toHaveProperty('consent')
})

test('a stage requires its own consents, besides those of the trial; another stage does not', async () => {
  const s = await consentedStudy()
  const { _id: blood } = await s.owner.post<'createConsentForm'>(s.forms, {
    document: '<p>Blood.</p>',
    formKey: 'blood',
  })
  await s.owner.do('updateStage', s.stage, { requiresConsent: ['Blood'] })
  const refused = await s.enter({ pulse: 70 })
  expect([refused.status, refused.body.details.consent]).toEqual([403, { formKey: 'blood', status: 'missing' }])
  s.add(s.anna, blood)
  expect((await s.enter({ pulse: 70 })).status).toBe(200)
})

test('who signed an earlier version goes on, unless the newer one says that it blocks forms', async () => {
  const s = await consentedStudy({ requiresConsent: ['main'] })
  const url = `${s.forms}/${s.form}` as const
  await s.owner.patch<'updateConsentForm'>(url, { document: '<p>More.</p>', requiresReconsent: true })
  expect((await s.own()).status).toBe(200)
  expect((await s.owner.call('PATCH', url, { document: '<p>Yet more.</p>', blocksForms: true })).status).toBe(422)
  const changed = await s.owner.patch<'updateConsentForm'>(url, {
    document: '<p>Yet more.</p>',
    requiresReconsent: true,
    blocksForms: true,
  })
  expect(changed).toMatchObject({ version: 3, reconsentFrom: 3, blocksFrom: 3 })
  const refused = await s.own()
  expect([refused.status, refused.body.details]).toMatchObject([
    403,
    { code: 'consentOutdated', consent: { formKey: 'main', status: 'outdated' } },
  ])
  s.add(s.anna, s.form, 3)
  expect((await s.own({ pulse: 71 })).status).toBe(200)
})

test('what requires a form keeps it: it is neither deleted nor renamed; a key that no form has is refused', async () => {
  const s = await consentedStudy()
  const { _id: other } = await s.owner.post<'createConsentForm'>(s.forms, {
    document: '<p>Other.</p>',
    formKey: 'other',
  })
  await s.owner.do('updateTrial', s.trial, { requiresConsent: ['other'] })
  const url = `${s.forms}/${other}` as const
  expect((await s.owner.call('DELETE', url)).body.message).toContain('the settings of the trial')
  expect((await s.owner.call('PATCH', url, { formKey: 'new' })).status).toBe(400)
  expect((await s.owner.call('PUT', `/trials/${s.trial}`, { requiresConsent: ['none'] })).status).toBe(422)
  expect((await s.owner.call('PUT', `/stages/${s.stage}`, { requiresConsent: ['none'] })).status).toBe(422)
  const poll = { name: 'Poll', isPoll: true, requiresConsent: ['other'] }
  expect((await s.owner.call('POST', `/trials/${s.trial}/stages`, poll)).status).toBe(422)
  await s.owner.do('updateTrial', s.trial, { requiresConsent: [] })
  expect((await s.owner.call('DELETE', url)).status).toBe(200)
})

test('a copy of a trial and a configuration version keep what is required', async () => {
  const s = await consentedStudy({ requiresConsent: ['main'] })
  await s.owner.do('updateStage', s.stage, { requiresConsent: ['main'] })
  const change = { document: '<p>More.</p>', requiresReconsent: true, blocksForms: true }
  await s.owner.patch<'updateConsentForm'>(`${s.forms}/${s.form}`, change)
  const copy = await s.owner.do('createTrial', s.team, { name: 'Copy', copyFrom: s.trial })
  expect((await s.owner.do('readTrial', copy._id)).requiresConsent).toEqual(['main'])
  const { stages } = await s.owner.do('listStages', copy._id)
  expect(firstOf(stages).requiresConsent).toEqual(['main'])
  // Its first version has no earlier one, so that nobody is kept out.
  const { documents } = await s.owner.do('listConsentForms', copy._id)
  expect(documents).toMatchObject([{ formKey: 'main', version: 1, reconsentFrom: null, blocksFrom: null }])
  const { number } = await s.owner.do('createConfigurationVersion', s.trial, { note: 'Before the start.' })
  const { snapshot } = await s.owner.do('readConfigurationVersion', s.trial, number)
  expect(snapshot).toMatchObject({
    settings: { requiresConsent: ['main'] },
    stages: [{ requiresConsent: ['main'] }],
    consentForms: [{ formKey: 'main', blocksFrom: 2 }],
  })
})

test('only who may change the trial changes what is required', async () => {
  const s = await consentedStudy()
  const nurse = s.staff(s.trial, ['trial.read', 'trial.write', 'trial.readConsentSettings'])
  expect((await nurse.call('PUT', `/trials/${s.trial}`, { requiresConsent: ['main'] })).status).toBe(403)
  expect((await nurse.call('PUT', `/trials/${s.trial}`, { requiresConsent: [], sponsor: 'Us' })).status).toBe(200)
})

test('an allocation needs the consents of the randomisation and of the trial', async () => {
  const s = await consentedStudy()
  const arms = [{ name: 'A' }, { name: 'B' }]
  const url = `/trials/${s.trial}/randomisations` as const
  const body = { name: 'Main', method: 'simple', isBlinded: false, arms }
  expect((await s.owner.call('POST', url, { ...body, requiresConsent: ['none'] })).status).toBe(422)
  const open = await s.owner.do('createRandomisation', s.trial, body)
  expect(open.requiresConsent).toEqual([])
  const made = await s.owner.do('createRandomisation', s.trial, { ...body, name: 'Other', requiresConsent: ['main'] })
  expect(made.requiresConsent).toEqual(['main'])
  const session = await s.signInStaff(s.owner)
  await session.do('confirmIdentity', { password: 'harbour lantern 71' })
  await session.do('sealRandomisation', made._id)
  const changed = await s.owner.call('PUT', `/randomisations/${made._id}`, { requiresConsent: [] })
  expect(changed.body.message).toContain('is sealed')
  const allocate = (participant: string, more = {}) =>
    s.owner.call('POST', `/randomisations/${made._id}/allocations`, { participant, ...more })
  const refused = await allocate(s.bert)
  expect([refused.status, refused.body.details.consent.status]).toEqual([403, 'missing'])
  expect((await allocate(s.anna)).status).toBe(200)
  expect((await allocate(s.bert, { withoutConsentReason: REASON })).status).toBe(200)
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'allocateParticipant' })
  expect(firstOf(entries).event.withoutConsent).toMatchObject({ reason: REASON })
})

test('packs are handed out by a randomisation or by hand only with the consent, or with a reason', async () => {
  const s = await consentedStudy()
  const types = [] as string[]
  for (const name of ['Verum', 'Rescue']) types.push((await s.owner.do('createPackType', s.trial, { name }))._id)
  const [verum, rescue] = [present(types[0]), present(types[1])]
  const packs = ['K-1', 'K-2', 'K-3', 'K-4'].map((name) => ({ name }))
  await s.owner.do('createPacks', s.trial, { packType: verum, packs })
  const byHand = firstOf((await s.owner.do('createPacks', s.trial, { packType: rescue, name: 'R-1' })).packs)
  const { _id } = await s.owner.do('createRandomisation', s.trial, {
    ...{ name: 'Main', method: 'simple', isBlinded: false, requiresConsent: ['main'] },
    arms: [
      { name: 'A', packType: verum },
      { name: 'B', packType: verum },
    ],
  })
  await s.owner.do('sealRandomisation', _id)
  await s.owner.do('allocateParticipant', _id, { participant: s.anna })
  const dispense = (more = {}) =>
    s.owner.call('POST', `/randomisations/${_id}/dispensations`, { participant: s.anna, ...more })
  const assign = (more = {}) =>
    s.owner.call('PUT', `/trials/${s.trial}/participants/${s.anna}/packs/${byHand._id}`, more)
  expect((await dispense()).status).toBe(200)
  expect((await s.withdraw()).status).toBe(200)
  for (const give of [dispense, assign]) {
    const refused = await give()
    expect([refused.status, refused.body.details]).toMatchObject([403, { code: 'consentWithdrawn' }])
    expect((await give({ withoutConsentReason: REASON })).status).toBe(200)
  }
  for (const type of ['dispensePack', 'assignPack']) {
    const { entries } = await s.owner.do('readLogs', s.trial, { type })
    expect([type, firstOf(entries).event.withoutConsent]).toMatchObject([type, { status: 'withdrawn', reason: REASON }])
  }
})

test('a held entry is entered without the consent only with a reason', async () => {
  const s = await consentedStudy()
  const bert = await asBert(s)
  const { _id } = await bert.do('holdEntry', {
    ...{ entry: 'an-entry-of-bert', stage: s.stage, code: 'closed', message: 'It was closed.' },
    response: s.sent({ pulse: 70 }),
  })
  await s.owner.do('updateTrial', s.trial, { requiresConsent: ['main'] })
  const url = `/trials/${s.trial}/heldEntries/${_id}/acceptance`
  const body = { updateNote: 'It was late.' }
  expect((await s.owner.call('POST', url, body)).body.details).toMatchObject(missing)
  expect((await s.owner.call('POST', url, { ...body, withoutConsentReason: REASON })).status).toBe(200)
})

test('a response of nobody is allocated, and a file of a wearable imported, only with a reason', async () => {
  const s = await consentedStudy()
  const entered = await s.owner.put<'enterResponse'>(s.url(s.bert), { response: s.sent({ pulse: 70 }) })
  if (!('_id' in entered)) throw new Error('It was stored as a draft.')
  const url = `/trials/${s.trial}/responses/${entered._id}/allocations`
  expect((await s.owner.call('DELETE', url)).status).toBe(200)
  await s.owner.do('updateTrial', s.trial, { requiresConsent: ['main'] })
  const allocation = (more: object) => `${url}?${new URLSearchParams({ participant: s.bert, ...more })}`
  expect((await s.owner.call('POST', allocation({}))).body.details).toMatchObject(missing)
  expect((await s.owner.call('POST', allocation({ withoutConsentReason: REASON }))).status).toBe(200)
  const imports = `/trials/${s.trial}/participants/${s.bert}/hardwareImports`
  const file = { service: 'fitbit', storedName: 'none.zip' }
  expect((await s.owner.call('POST', imports, file)).body.details).toMatchObject(missing)
  // With a reason, the next refusal is about the file.
  expect((await s.owner.call('POST', imports, { ...file, withoutConsentReason: REASON })).status).toBe(400)
})
