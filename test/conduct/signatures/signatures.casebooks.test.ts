import { describe, expect, test } from 'bun:test'
import { firstOf } from '../../present'
import { casebook, signatureStudy } from './signatures.study'

const REASON = 'All data are in.'

describe('casebooks', () => {
  test('are counted, and the counts follow responses and signatures', async () => {
    const s = await signatureStudy()
    const { anna, bert, carl, app, trial } = s
    const [b, c] = [casebook(bert, 'P-2', 0, 0), casebook(carl, 'P-10', 0, 0)]
    expect(await s.casebooks()).toEqual([casebook(anna, 'P-1', 2, 0), b, c])
    await app.do('signResponses', trial, { participant: anna, meaning: 'Reviewed' })
    expect(await s.casebooks()).toEqual([casebook(anna, 'P-1', 2, 2), b, c])
    await s.enter({ pulse: 64 })
    expect(await s.casebooks()).toEqual([casebook(anna, 'P-1', 3, 2), b, c])
    expect(firstOf(await s.signatures()).valid).toBe(true)
    await s.owner.do('deleteResponse', s.trial, s.first, { reason: 'A test.' })
    expect(await s.casebooks()).toEqual([casebook(anna, 'P-1', 2, 1), b, c])
  })

  test('of archived participants are hidden, and need no signature before a lock', async () => {
    const s = await signatureStudy({ signaturesRequiredForLock: true })
    await s.owner.do('updateParticipant', s.trial, s.anna, { isArchived: true })
    expect((await s.casebooks()).map(({ participantId }) => participantId)).toEqual(['P-2', 'P-10'])
    await s.app.do('updateTrial', s.trial, { isDatabaseLocked: true, databaseLockJustification: REASON })
  })

  test('are listed in pages, and only those of the reader’s site', async () => {
    const s = await signatureStudy()
    const page = await s.owner.do('listCasebooks', s.trial, { page: 2, perPage: 2 })
    expect(page).toEqual({ casebooks: [casebook(s.carl, 'P-10', 0, 0)], nextPageAvailable: false })
    expect((await s.owner.do('listCasebooks', s.trial, { perPage: 2 })).nextPageAvailable).toBe(true)
    const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
    await s.owner.do('addSiteMember', site, s.bert)
    const local = s.staff(s.trial, ['site.read'], site)
    expect(await s.casebooks(local as never)).toEqual([casebook(s.bert, 'P-2', 0, 0)])
    const other = s.staff(s.trial, ['trial.readFiles'])
    expect((await other.call('GET', `${s.url}/casebooks`)).status).toBe(403)
  })
})

describe('locking a database that must be signed', () => {
  const lock = { isDatabaseLocked: true, databaseLockJustification: REASON }

  test('needs all casebooks signed, even if the same request switches the requirement off', async () => {
    const s = await signatureStudy({ signaturesRequiredForLock: true })
    await s.enter({ pulse: 64 }, {}, s.owner, s.responseUrl(s.bert))
    const at = `/trials/${s.trial}` as const
    const refused = await s.app.call('PUT', at, lock)
    expect([refused.status, refused.body.details]).toMatchObject([400, { unsigned: 2 }])
    expect(refused.body.message).toContain('2 casebooks')
    await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'Reviewed' })
    expect((await s.app.call('PUT', at, { ...lock, signaturesRequiredForLock: false })).body.details).toMatchObject({
      unsigned: 1,
    })
    await s.app.do('signResponses', s.trial, { participant: s.bert, meaning: 'Reviewed' })
    expect((await s.app.do('updateTrial', s.trial, lock)).isDatabaseLocked).toBe(true)
    // Signing is possible while the database is locked.
    await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'Approved' })
  })

  test('needs no signature if the study does not ask for it', async () => {
    const s = await signatureStudy()
    const asking = await s.app.call('PUT', `/trials/${s.trial}`, { ...lock, signaturesRequiredForLock: true })
    expect([asking.status, asking.body.details]).toMatchObject([400, { unsigned: 1 }])
    expect((await s.app.do('updateTrial', s.trial, lock)).isDatabaseLocked).toBe(true)
  })
})
