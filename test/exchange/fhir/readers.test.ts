/** Who finds which resources, and what is left out of them. */
import { describe, expect, test } from 'bun:test'
import { type AnyResource, facade } from './facade.study'

describe('what a reader may not see', () => {
  test('is left out: hidden answers, participants of other sites', async () => {
    const s = await facade()
    const { owner, trial, anna, bert, ids } = s
    await owner.do('updateDataType', ids.pulse!, { isRestricted: true })
    await owner.do('updateDataType', ids.symptom!, { isPii: true })
    for (const each of [anna, bert]) await s.enter({ pulse: 61, symptom: 'cough', pain: 5 }, {}, owner, s.url(each))
    const site = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
    await owner.do('addSiteMember', site, anna)
    const nurse = s.staff(trial, ['site.read'], site)
    const patients = await s.all('Patient', nurse)
    expect(patients.map(({ id }) => id)).toEqual([anna])
    expect((await s.all('ResearchSubject?_count=1', nurse)).map(({ id }) => id)).toEqual([anna])
    expect(await s.all(`Patient?_id=${bert}`, nurse)).toEqual([])
    expect(await s.all('Patient?identifier=P-2', nurse)).toEqual([])
    expect(await s.all(`QuestionnaireResponse?subject=${bert}`, nurse)).toEqual([])
    const [response] = await s.all(`QuestionnaireResponse?subject=${anna}`, nurse)
    expect(response.item.map(({ linkId }: AnyResource) => linkId)).toEqual([ids.pain])
    const [own] = await s.all(`QuestionnaireResponse?subject=${bert}`)
    for (const path of [`Patient/${bert}`, `ResearchSubject/${bert}`, `QuestionnaireResponse/${own.id}`]) {
      const { status, body } = await nurse.call('GET', `${s.base}/${path}`)
      expect([status, body.issue[0].code]).toEqual([404, 'not-found'])
    }
    expect((await s.all(`QuestionnaireResponse?_id=${own.id},${response.id}`, nurse)).map(({ id }) => id)).toEqual([
      response.id,
    ])
  })

  test('is looked through page by page: whoever sees few of many participants finds all of these', async () => {
    const s = await facade()
    const { owner, trial, db } = s
    db.$client.run(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 11000)
    INSERT INTO participants (_id, createdAt, trial, id, idSort)
    SELECT printf('%024x', n), 1, '${trial}', 'N-' || n, 'n-' || n FROM n`)
    const site = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
    const seen = [3, 499, 500, 501, 1700, 10_000, 10_900].map((n) => n.toString(16).padStart(24, '0'))
    for (const each of seen) db.$client.run(`INSERT INTO participantSites VALUES ('${each}', '${site}')`)
    const nurse = s.staff(trial, ['site.read'], site)
    for (const count of [1, 2, 50])
      expect((await s.all(`Patient?_count=${count}`, nurse)).map(({ id }) => id)).toEqual(seen)
    const first = await s.read('Patient', nurse)
    expect([first.entry.length, first.link.length]).toEqual([6, 2]) // 10,000 are looked at, then there is a next page
    const exporter = s.staff(trial, ['site.read', 'site.exportData'], site)
    await s.enter({ pulse: 60 }, {}, owner, s.url(seen.at(-1)!))
    expect(await s.all('QuestionnaireResponse', exporter)).toHaveLength(1)
  })

  test('all responses at once are an export: it needs its permission, and is in the audit trail', async () => {
    const s = await facade()
    await s.enter({ pulse: 60 })
    const nurse = s.staff(s.trial, ['trial.read'])
    const refused = await nurse.call('GET', `${s.base}/QuestionnaireResponse`)
    expect([refused.status, refused.body.issue[0].code]).toEqual([403, 'forbidden'])
    const exporter = s.staff(s.trial, ['trial.read', 'trial.exportData'])
    expect(await s.all('QuestionnaireResponse', exporter)).toHaveLength(1)
    const { entries } = await s.owner.do('readLogs', s.trial)
    expect(entries[0]).toMatchObject({ type: 'exportFhir', event: { responses: 1 } })
  })

  test('needs the permission that it needs elsewhere', async () => {
    const s = await facade()
    const writer = s.staff(s.trial, ['trial.writeTasks'])
    for (const path of ['Patient', 'ResearchSubject', 'QuestionnaireResponse?patient=1', 'ResearchStudy', 'Consent'])
      expect((await writer.call('GET', `${s.base}/${path}`)).status).toBe(403)
    const { owner } = s.neighbours()
    for (const path of ['metadata', 'Patient', 'Questionnaire', `Questionnaire/${s.stage}`, `ResearchStudy/${s.trial}`])
      expect((await owner.call('GET', `${s.base}/${path}`)).status).toBe(404)
    const own = (await s.owner.do('createTrial', s.team, { name: 'Another' }))._id
    for (const path of [`Patient/${s.anna}`, `Questionnaire/${s.stage}`, `ResearchStudy/${s.trial}`])
      expect((await s.owner.call('GET', `/trials/${own}/fhir/${path}`)).status).toBe(404)
  })
})
