/** The keys of reviewers: each gives its own act, on the trial or on a site, and none writes answers (docs/permissions.md). */
import { describe, expect, test } from 'bun:test'
import { buildOnce } from '../../buildOnce'
import { PASSWORD, type Person, type World } from '../../harness'
import { present } from '../../present'
import { shortCuts, study } from '../../study'
import { insertTrial } from '../../trial'

async function reviewerStudy() {
  const { w, made } = await buildOnce('reviewers', buildReview)
  return { ...shortCuts(w, made), ...made }
}

async function buildReview() {
  const s = await study({ trial: { responseSigningEnabled: true } })
  const { owner, trial, ids, stage, components, anna, bert, carl, url } = s
  const response: string = (await s.enter({ pulse: 72, symptom: 'cough' })).body._id
  const others: string = (await s.enter({ pulse: 61 }, {}, owner, url(bert))).body._id
  const site = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
  const south = (await owner.do('createSite', trial, { name: 'South', id: 'S1' }))._id
  await owner.do('addSiteMember', site, anna)
  await owner.do('addSiteMember', south, bert)
  return { w: s, made: { trial, ids, stage, components, anna, bert, carl, response, others, site, south } }
}
type ReviewerStudy = Awaited<ReturnType<typeof reviewerStudy>>

async function confirmed(s: Pick<World, 'signIn'>, who: { _id: string; email: string }) {
  const app = await s.signIn(who)
  await app.do('confirmIdentity', { password: PASSWORD })
  return app
}

type Action = (s: ReviewerStudy, by: Person, at: 'response' | 'others') => Promise<{ status: number }>

const about = (s: ReviewerStudy, at: 'response' | 'others') => `/trials/${s.trial}/responses/${s[at]}`
const raise: Action = (s, by, at) =>
  by.call('POST', `/trials/${s.trial}/queries`, { response: s[at], text: 'Is this right?' })
const mark: Action = (s, by, at) => by.call('POST', `${about(s, at)}/validations`)
const setStatus: Action = (s, by, at) => by.call('PUT', `${about(s, at)}/status`, { status: 'successful' })
const remove: Action = (s, by, at) => by.call('DELETE', about(s, at), { reason: 'Entered twice.' })
const visit: Action = (s, by, at) =>
  by.call('POST', `/sites/${at === 'response' ? s.site : s.south}/site-monitoring`, { id: 'V-1', status: 'pending' })
const sign: Action = (s, by, at) =>
  by.call('POST', `/trials/${s.trial}/signatures`, {
    participant: at === 'response' ? s.anna : s.bert,
    meaning: 'Seen',
  })
const acts = { raise, mark, setStatus, remove, visit, sign }

/** What each key gives of these; the rest is refused. */
const given: Record<string, (keyof typeof acts)[]> = {
  raiseQueries: ['raise'],
  verifyStudyData: ['mark', 'setStatus'],
  setResponseStatus: ['setStatus'],
  deleteResponses: ['remove'],
  manageMonitoring: ['visit'],
  signStudyData: ['sign'],
  codeStudyData: [],
  cleanStudyData: [],
  lockDatabase: [],
  unblindParticipants: [],
}

describe.each(Object.entries(given))('%s', (key, own) => {
  test.each(['trial', 'site'] as const)('on the %s', async (scope) => {
    const s = await reviewerStudy()
    const person = s.staff(s.trial, [`${scope}.${key}`], scope === 'site' ? s.site : s.trial)
    const app = await confirmed({ signIn: s.signInStaff }, person)
    for (const [name, act] of Object.entries(acts)) {
      const { status } = await act(s, app, 'others')
      const outcome = status === 403 || status === 404 ? 'refused' : status
      const isGiven = own.includes(name as keyof typeof acts) && scope === 'trial'
      expect([name, outcome]).toEqual([name, isGiven ? 200 : 'refused'])
    }
    const written = [s.url(s.anna), s.url(s.bert)]
    for (const at of written) expect([403, 404]).toContain((await s.enter({ pulse: 50 }, {}, app, at)).status)
    for (const name of own) expect([name, (await acts[name](s, app, 'response')).status]).toEqual([name, 200])
  })
})

describe('who only raises queries', () => {
  test('writes in, assigns, closes and reopens their own, and none of others', async () => {
    const s = await reviewerStudy()
    const monitor = s.staff(s.trial, ['trial.raiseQueries'])
    const other = s.staff(s.trial, ['trial.raiseQueries'])
    const { _id } = await monitor.do('raiseQuery', s.trial, { response: s.response, text: 'Is this right?' })
    const url = `/queries/${_id}` as const
    await s.owner.do('answerQuery', _id, { text: 'It is.' })
    expect((await monitor.do('answerQuery', _id, { text: 'And this?' })).status).toBe('open')
    for (const [method, path, body] of [
      ['PUT', url, { status: 'closed' }],
      ['PUT', url, { assignees: [other._id] }],
      ['POST', `${url}/messages`, { text: 'Mine' }],
    ] as const) {
      const refused = await other.call(method, path, body)
      expect([refused.status, refused.body.details.needs]).toEqual([403, ['trial.writeParticipantStudyData']])
    }
    expect((await monitor.do('updateQuery', _id, { status: 'closed' })).status).toBe('closed')
    expect((await monitor.do('updateQuery', _id, { status: 'open' })).status).toBe('open')
  })
})

test('nobody marks, or clears a mark of, a field that is hidden from them', async () => {
  const s = await reviewerStudy()
  await s.owner.do('updateDataType', s.ids.symptom, { isRestricted: true })
  const monitor = s.staff(s.trial, ['trial.verifyStudyData'])
  const at = `/trials/${s.trial}/responses/${s.response}` as const
  const marked = await monitor.do('verifyResponse', s.trial, s.response)
  const ids = (of: typeof marked) => present(of.responseValidations[s.response]).map(({ dataType }) => dataType)
  expect(ids(marked)).not.toContain(s.ids.symptom!)
  const one = `${at}/dataTypes/${s.ids.symptom}/validations` as const
  expect((await monitor.call('POST', one)).status).toBe(404)
  expect(ids(await s.owner.do('verifyResponse', s.trial, s.response))).toContain(s.ids.symptom!)
  expect((await monitor.call('DELETE', one)).status).toBe(404)
  expect((await monitor.do('unverifyResponse', s.trial, s.response)).responseValidations).toEqual({})
  const left = await s.owner.do('readResponse', s.trial, s.response)
  expect(present(left.responseValidations[s.response]).map(({ dataType }) => dataType)).toEqual([s.ids.symptom!])
})

describe('lockDatabase', () => {
  const lock = { isDatabaseLocked: true, databaseLockJustification: 'All data are in.' }

  test('turns the lock of the database on and off with a fresh confirmation, and changes nothing else', async () => {
    const s = await reviewerStudy()
    const manager = s.staff(s.trial, ['trial.lockDatabase'])
    const at = `/trials/${s.trial}` as const
    expect((await manager.call('PUT', at, lock)).body.details.code).toBe('reauth')
    const app = await confirmed({ signIn: s.signInStaff }, manager)
    for (const more of [
      { name: 'Mine' },
      { isArchived: true },
      { password: 'mine' },
      { isLocked: true, lockJustification: 'All is set up.' },
      { signersOnly: false },
    ])
      expect((await app.call('PUT', at, { ...lock, ...more })).status).toBe(403)
    expect((await app.do('updateTrial', s.trial, lock)).isDatabaseLocked).toBe(true)
    expect((await app.do('updateTrial', s.trial, { ...lock, isDatabaseLocked: false })).isDatabaseLocked).toBe(false)
    // On a site it locks nothing: the database is locked as a whole.
    const local = await confirmed({ signIn: s.signInStaff }, s.staff(s.trial, ['site.lockDatabase'], s.site))
    expect((await local.call('PUT', at, lock)).status).toBe(403)
  })
})

describe('signersOnly', () => {
  test('is on in a new trial: who reads participants and writes answers signs no casebook', async () => {
    const s = await reviewerStudy()
    const writer = s.staff(s.trial, ['trial.readParticipants', 'trial.writeParticipantStudyData'])
    const app = await confirmed({ signIn: s.signInStaff }, writer)
    const body = { participant: s.anna, meaning: 'I approve' }
    const refused = await app.call('POST', `/trials/${s.trial}/signatures`, body)
    expect([refused.status, refused.body.details.needs]).toEqual([403, ['trial.signStudyData']])
    expect((await s.owner.do('listCasebooks', s.trial)).casebooks[0]).toMatchObject({
      signedCount: 0,
    })
    const signer = await confirmed({ signIn: s.signInStaff }, s.staff(s.trial, ['trial.signStudyData']))
    expect((await signer.do('signResponses', s.trial, body)).valid).toBe(true)
  })

  test('is turned off by an admin only, and then writers sign too', async () => {
    const s = await reviewerStudy()
    const at = `/trials/${s.trial}` as const
    const writer = s.staff(s.trial, ['trial.write'])
    expect((await writer.call('PUT', at, { signersOnly: false })).body.details.needs).toEqual(['trial.admin'])
    expect((await writer.do('updateTrial', s.trial, { signersOnly: true, name: 'Renamed' })).name).toBe('Renamed')
    expect((await s.owner.do('updateTrial', s.trial, { signersOnly: false })).signersOnly).toBe(false)
    const app = await confirmed({ signIn: s.signInStaff }, writer)
    const body = { participant: s.anna, meaning: 'I approve' }
    expect((await app.do('signResponses', s.trial, body)).valid).toBe(true)
  })

  test('is off in a trial from before there was the setting, and on in its copies', async () => {
    const s = await reviewerStudy()
    const old = insertTrial(s.db, s.team, 0)
    expect((await s.owner.do('readTrial', old)).signersOnly).toBe(false)
    const copy = await s.owner.do('createTrial', s.team, { name: 'A copy', copyFrom: old })
    expect(copy.signersOnly).toBe(true)
  })
})
