/** Which essential records a trial and its sites lack, over HTTP. */
import { expect, test } from 'bun:test'
import { DAY } from '#kernel/time'
import { firstOf, present } from '../../../present'
import { checklist } from './checklist.study'

test('a new trial lacks what must be there before it starts; what was filed and approved is present', async () => {
  const c = await checklist()
  const { stage, today, places, records, page, nextPageAvailable } = await c.read()
  expect([stage, today, page, nextPageAvailable]).toEqual(['before', c.now().slice(0, 10), 1, false])
  expect(places.map(({ site, stage }) => [site, stage])).toEqual([
    [null, 'before'],
    [c.north, 'before'],
    [c.south, 'before'],
  ])
  expect(records.find(({ record }) => record === 'protocol')).toEqual({
    ...{ record: 'protocol', title: 'Signed protocol', references: ['ICH E6(R3) Appendix C', 'ICH E6(R2) 8.2.2'] },
    ...{ level: 'trial', due: 'before', types: ['protocol'], words: [], source: null },
    ...{ isConditional: false, isIndispensable: true, isPersonal: false },
  })
  expect(await c.state('protocol')).toBe('missing')
  expect(await c.state('correspondence')).toBe('notDue')
  expect(await c.state('protocolAmendments')).toBe('none')
  const _id = await c.file({ name: 'Protocol', type: 'protocol' }, { status: 'draft' })
  expect(await c.entry('protocol')).toMatchObject({
    state: 'notApproved',
    files: [{ _id, name: 'Protocol', status: 'draft', expiresAt: null }],
  })
  await c.version(_id, 'two', { status: 'approved' })
  await c.version(_id, 'three')
  // The approved version is in force while the next one is a draft.
  expect(await c.entry('protocol')).toEqual({
    ...{ record: 'protocol', state: 'present', outdated: [], exemption: null },
    files: [{ _id, name: 'Protocol', status: 'draft', expiresAt: null }],
  })
  const before = present(firstOf(places).lacking)
  expect(firstOf((await c.read()).places).lacking).toBe(before - 1)
})

test('what is lacking depends on the stage of the trial and of each site', async () => {
  const c = await checklist()
  const of = async (...records: string[]) => Promise.all(records.map((record) => c.state(record)))
  expect(await of('statisticalAnalysisPlan', 'clinicalTrialReport')).toEqual(['notDue', 'notDue'])
  const anna = (await c.register('P-1'))._id
  expect((await c.read()).stage).toBe('during')
  expect(await of('statisticalAnalysisPlan', 'clinicalTrialReport')).toEqual(['missing', 'notDue'])
  expect(await c.state('signedConsent', c.north)).toBe('notDue')
  await c.owner.do('addSiteMember', c.north, anna)
  expect(await c.state('signedConsent', c.north)).toBe('missing')
  expect(await c.state('participantLogs', c.north)).toBe('present')
  expect(await c.state('signedConsent', c.south)).toBe('notDue')
  await c.owner.do('updateSite', c.south, { activityStatus: 'closed' })
  expect(await c.state('closeOut', c.south)).toBe('missing')
  await c.owner.do('updateSite', c.south, { approvalStatus: 'rejected' })
  expect(await c.state('closeOut', c.south)).toBe('notDue')
  expect((await c.read(`site=${c.south}`)).places).toMatchObject([{ stage: 'none', lacking: 0 }])
  c.db.$client.query('UPDATE trials SET isDatabaseLocked = 1 WHERE _id = ?').run(c.trial)
  expect((await c.read()).stage).toBe('after')
  expect(await of('clinicalTrialReport', 'auditCertificates')).toEqual(['missing', 'none'])
  expect(await c.state('closeOut', c.north)).toBe('missing')
})

test('a file is found by its type, by the beginning of its name, and by a tag, at its own place only', async () => {
  const c = await checklist()
  const cases: [fields: Record<string, unknown>, record: string, isFound: boolean][] = [
    [{ name: 'INSURANCE of 2026' }, 'insurance', true],
    [{ name: 'Versicherung_2026.pdf' }, 'insurance', true],
    [{ name: 'Our insurance' }, 'insurance', false],
    [{ name: 'Insurances' }, 'insurance', false],
    [{ name: 'Police 17', tags: ['Insurance'] }, 'insurance', true],
    [{ name: 'Police 17', tags: ['8.2.5'] }, 'insurance', true],
    [{ name: 'IB' }, 'investigatorBrochure', true],
    [{ name: 'IB-v3' }, 'investigatorBrochure', true],
    [{ name: 'Ibuprofen' }, 'investigatorBrochure', false],
    [{ name: 'Investigator’s Brochure 3.0' }, 'investigatorBrochure', true],
    [{ name: 'Anything', tags: ['investigatorBrochure'] }, 'investigatorBrochure', true],
    [{ name: 'Plan de gestión de datos' }, 'dataManagementPlan', true],
    [{ name: 'Annex', type: 'ethics' }, 'ethicsOpinion', true],
    [{ name: 'Annex', type: 'legal' }, 'ethicsOpinion', false],
  ]
  for (const [fields, record, isFound] of cases) {
    const _id = await c.file(fields)
    expect([fields, await c.state(record)]).toEqual([fields, isFound ? 'present' : 'missing'])
    await c.owner.do('deleteFile', _id)
  }
  await c.file({ name: 'Ethics approval', type: 'ethics', site: c.north, tags: ['8.2.5'] })
  expect(await c.state('ethicsOpinion')).toBe('missing')
  expect(await c.state('insurance')).toBe('missing')
  expect(await c.state('siteEthicsOpinion', c.north)).toBe('present')
  expect(await c.state('siteEthicsOpinion', c.south)).toBe('missing')
  // A changed name, type or tag counts at once.
  const _id = await c.file({ name: 'Police' })
  await c.owner.do('updateFile', _id, { tags: ['insurance'] })
  expect(await c.state('insurance')).toBe('present')
  await c.owner.do('updateFile', _id, { tags: [], type: 'hra' })
  expect([await c.state('insurance'), await c.state('regulatoryAuthorisation')]).toEqual(['missing', 'present'])
  await c.owner.do('updateFile', _id, { name: 'Seguro', type: 'other' })
  expect([await c.state('insurance'), await c.state('regulatoryAuthorisation')]).toEqual(['present', 'missing'])
})

test('approvals and CVs expire: 30 days before, and on the day after the last one', async () => {
  const c = await checklist()
  c.clock('2026-03-02T22:00:00Z')
  const ethics = await c.file({ name: 'Ethics', type: 'ethics' }, { expiresAt: '2026-04-02' })
  expect(await c.entry('ethicsOpinion')).toMatchObject({ state: 'present', files: [{ expiresAt: '2026-04-02' }] })
  c.clock(DAY)
  expect(await c.state('ethicsOpinion')).toBe('expiring')
  c.clock('2026-04-02T23:59:00Z')
  expect(await c.state('ethicsOpinion')).toBe('expiring')
  c.clock('2026-04-03T00:01:00Z')
  expect(await c.state('ethicsOpinion')).toBe('expired')
  // The zone of the trial says which day it is.
  await c.owner.do('updateTrial', c.trial, { timezone: 'America/New_York' })
  expect(await c.state('ethicsOpinion')).toBe('expiring')
  c.clock('2026-04-03T12:00:00Z')
  expect(await c.state('ethicsOpinion')).toBe('expired')
  await c.version(ethics, 'renewed', { status: 'approved', expiresAt: '2027-04-02' })
  expect(await c.state('ethicsOpinion')).toBe('present')
  // A second file may replace the first, but nobody's CV replaces that of somebody else.
  const ash = await c.file({ name: 'CV Ash', type: 'cv', site: c.north }, { expiresAt: '2026-04-01' })
  await c.file({ name: 'CV Birch', type: 'cv', site: c.north })
  const { state, outdated } = await c.entry('qualifications', c.north)
  expect([state, outdated]).toEqual(['expired', [{ file: ash, name: 'CV Ash', expiresAt: '2026-04-01' }]])
  await c.version(ash, 'a new CV', { status: 'approved', expiresAt: '2026-04-20' })
  expect(await c.entry('qualifications', c.north)).toMatchObject({ state: 'expiring', outdated: [{ file: ash }] })
})

test('logs, visits, packs and forms that Trialbox holds count as records', async () => {
  const c = await checklist()
  const { owner, north, south, trial } = c
  const at = (record: string) => c.state(record, north)
  expect([await at('delegationLog'), await at('trainingRecords'), await at('siteSelection')]).toEqual([
    ...['missing', 'missing', 'missing'],
  ])
  const nurse = c.staff(trial, ['site.readFiles', 'site.readSites'], north)
  const delegated = { user: nurse._id, role: 'principalInvestigator', tasks: ['dataEntry'], startsOn: '2026-01-01' }
  const { _id: delegation } = await owner.do('createDelegation', north, delegated)
  expect(await at('delegationLog')).toBe('notApproved')
  c.db.$client
    .query(`INSERT INTO delegationSignatures VALUES (?, 'person', ?, ?, 'N', 1, 'h')`)
    .run(delegation, trial, nurse._id)
  expect(await at('delegationLog')).toBe('present')
  const today = c.now().slice(0, 10)
  const trained = { user: nurse._id, training: 'GCP', trainedOn: '2025-01-01', expiresOn: '2025-12-31' }
  const training = await owner.do('createTraining', north, trained)
  const { state, outdated } = await c.entry('trainingRecords', north)
  expect([state, outdated]).toEqual([
    'expired',
    [{ file: null, name: `${training.userName}: GCP`, expiresAt: '2025-12-31' }],
  ])
  // Whoever may not read the logs of the site is told neither what they hold nor whether they lack something.
  const reader = c.staff(trial, ['site.readFiles'], north)
  expect(await c.entry('trainingRecords', north, reader)).toMatchObject({ state: 'hidden', outdated: [] })
  expect(await c.state('delegationLog', north, reader)).toBe('hidden')
  await owner.do('createTraining', north, { ...trained, trainedOn: today, expiresOn: null })
  expect(await at('trainingRecords')).toBe('present')
  const gone = c.staff(trial, ['site.readSites'], north)
  await owner.do('createTraining', north, { ...trained, user: gone._id })
  expect(await at('trainingRecords')).toBe('expired')
  const ended = await owner.do('createDelegation', north, { ...delegated, user: gone._id, role: 'studyNurse' })
  expect(await at('trainingRecords')).toBe('expired')
  c.db.$client.query('UPDATE delegations SET endsOn = ? WHERE _id = ?').run('2026-01-31', ended._id)
  expect(await at('trainingRecords')).toBe('present')
  await owner.do('createMonitoringVisit', north, { id: 'SSV', category: 'ssv' })
  expect(await at('siteSelection')).toBe('missing')
  const { _id: visit } = await owner.do('createMonitoringVisit', north, { id: 'SSV 2', category: 'ssv' })
  await owner.do('updateMonitoringVisit', visit, { status: 'completed' })
  expect(await at('siteSelection')).toBe('present')
  const packType = (await owner.do('createPackType', trial, { name: 'Tablets' }))._id
  await owner.do('createPacks', trial, { packType, name: 'K-1', assignedToSite: north })
  expect([await at('productShipment'), await c.state('productShipment', south)]).toEqual(['present', 'missing'])
  expect(await c.state('productShipment', north, reader)).toBe('hidden')
  // Whether there is a randomisation is told to those who may read it.
  expect(await c.state('randomisationList')).toBe('missing')
  expect(await c.state('randomisationList', null, c.staff(trial, ['trial.readFiles']))).toBe('hidden')
  expect(await c.state('caseReportForms')).toBe('missing')
  await owner.do('createStage', trial, { name: 'Visit 1' })
  expect(await c.state('caseReportForms')).toBe('present')
})

test('a trial without sites is its own site', async () => {
  const c = await checklist()
  const trial = c.otherTrial()
  const { places } = await c.owner.do('readFileChecklist', trial)
  expect(places.map(({ site }) => site)).toEqual([null])
  expect(firstOf(places).entries.map(({ record }) => record)).toEqual(
    expect.arrayContaining(['protocol', 'qualifications']),
  )
  const own = firstOf((await c.read()).places).entries.map(({ record }) => record)
  expect(own).not.toContain('qualifications')
})

test('places come in pages, and only what is lacking if asked', async () => {
  const c = await checklist()
  const sitesOf = async (query: string) => {
    const { places, nextPageAvailable } = await c.read(query)
    return [places.map(({ site }) => site), nextPageAvailable]
  }
  expect(await sitesOf('perPage=2')).toEqual([[null, c.north], true])
  expect(await sitesOf('perPage=2&page=2')).toEqual([[c.south], false])
  expect(await sitesOf('page=7')).toEqual([[], false])
  expect(await sitesOf(`site=${c.south}`)).toEqual([[c.south], false])
  expect(await sitesOf('site=none')).toEqual([[null], false])
  expect(await sitesOf(`site=${'f'.repeat(24)}`)).toEqual([[], false])
  const { places } = await c.read('lacking=true')
  for (const { lacking, entries } of places) {
    expect(entries).toHaveLength(lacking)
    expect(new Set(entries.map(({ state }) => state))).toEqual(new Set(['missing']))
  }
  for (const query of ['perPage=51', 'page=0', 'site=North', 'lacking=2'])
    expect([query, (await c.owner.call('GET', `${c.url}?${query}`)).status]).toEqual([query, 422])
})

test('titles are in the language of the caller', async () => {
  const c = await checklist()
  c.db.$client.query('UPDATE users SET language = ? WHERE _id = ?').run('de', c.owner._id)
  expect(firstOf((await c.read()).records).title).toBe('Prüferinformation oder Fachinformation')
})
