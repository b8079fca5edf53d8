/** Attempts to read hidden answers: as the participant, through older jobs, from hashes, from notes. */
import { expect, test } from 'bun:test'
import { everything } from '../../everything'
import { ended, recordOf } from '../../exchange/studyRecord/archive'
import { PASSWORD, type Person } from '../../harness'
import { firstOf, present } from '../../present'
import { study } from '../../study'

const BLIND = ['trial.write', 'trial.readLogs', 'trial.exportData']

/** A study with a restricted, a personal and an open field, all answered by staff. */
async function secretStudy() {
  const s = await study({ trial: { enableLookback: true, responseSigningEnabled: true } })
  const { owner, ids, trial } = s
  await owner.do('updateDataType', ids.symptom, { isRestricted: true })
  await owner.do('updateDataType', ids.diary, { isPii: true })
  await owner.do('updateParticipant', trial, s.anna, {
    name: 'Philippa Featherstone',
    email: 'featherstone@example.net',
    phone: '+493012345678',
    whatsapp: '+493087654321',
    dob: '1931-07-13',
  })
  const answers = { symptom: 'Quokkaflower', diary: 'Larkspur Road 12', pulse: 61 }
  const { body } = await s.enter(answers)
  return { ...s, response: body._id as string, blind: s.staff(trial, BLIND) }
}

type SecretStudy = Awaited<ReturnType<typeof secretStudy>>
const asText = (answer: unknown) => JSON.stringify(answer)
const secrets = /Quokkaflower|Larkspur|Featherstone|featherstone|4930|1931-07-13/

/** Staff who may write participants can sign in as them: with a grant, or with a password that they set. */
const impersonations: [string, (s: SecretStudy) => Promise<string>][] = [
  [
    'a grant',
    async ({ blind, trial, anna, nobody }) => {
      const { url } = await blind.do('createGrant', trial, anna)
      return (await nobody.do('exchangeGrant', { grant: new URL(present(url)).searchParams.get('grant') })).token
    },
  ],
  [
    'a new password',
    async ({ blind, trial, anna, nobody, owner }) => {
      await blind.do('updateParticipant', trial, anna, { password: 'tulip meadow 9' })
      const { code } = await owner.do('readTrial', trial)
      const who = { trialCode: code, participantId: 'P-1', password: 'tulip meadow 9' }
      return (await nobody.do('signInParticipant', who)).token
    },
  ],
]

test.each(impersonations)(
  'staff who sign in as a participant by %s see nothing that is hidden from them',
  async (_, signIn) => {
    const s = await secretStudy()
    const { trial, stage, sent } = s
    const token = await signIn(s)
    const app: Person = s.person({ Authorization: `Bearer ${token}` })
    const at = `/participants/trials/${trial}/stages/${stage}` as const
    const heard = [
      await app.do('readOwnParticipant'),
      await app.do('updateOwnParticipant', { timezone: 'Europe/Paris' }),
      await app.do('readOwnTimeline', trial),
      await app.do('openStage', trial, stage),
      await app.do('submitResponse', trial, stage, sent({ pulse: 62 })),
      await app.call('POST', `${at}/responses`, sent({ pulse: 9999 })),
      await app.do('openStage', trial, stage),
    ]
    expect(asText(heard)).not.toMatch(secrets)
  },
)

test('a participant sees what they sent, and their earlier open answers', async () => {
  const s = await secretStudy()
  const { trial, stage, ids, sent, values } = s
  const me = await s.signIn()
  const receipt = await me.do('submitResponse', trial, stage, sent({ symptom: 'rash' }))
  expect(values(receipt)).toMatchObject({ symptom: 'rash', pulse: 61 })
  expect(receipt.response).not.toHaveProperty(ids.diary!)
  const { components } = await me.do('openStage', trial, stage)
  const previous = (code: string) =>
    present(components.find(({ dataType }) => dataType === ids[code])).previousResponses
  expect(previous('pulse')).toMatchObject([{ value: 61 }])
  expect(previous('symptom')).toEqual([])
  expect(previous('diary')).toEqual([])
})

test('the client of staff is not shown to participants', async () => {
  const s = await secretStudy()
  await s.owner.put(s.url(), { response: s.sent({ pulse: 63 }) }, { headers: { 'User-Agent': 'StaffPhone/1' } })
  const me = await s.signIn()
  const at = `/participants/trials/${s.trial}/stages/${s.stage}/responses` as const
  const receipt = await me.post(at, s.sent({ glucose: 5.1 }), { headers: { 'User-Agent': 'OwnPhone/1' } })
  expect(asText(receipt)).not.toContain('StaffPhone')
  expect(asText(receipt)).not.toContain('"client"')
})

test('the result of a job is shown only while its creator has the permissions it was made with', async () => {
  const s = await secretStudy()
  const { trial, owner } = s
  const admin = s.invite([])
  const holding = (keys: string[]) => owner.do('setPermissions', trial, admin._id, { permissions: { [trial]: keys } })
  await holding(['trial.admin'])
  const { jobId } = await admin.do('exportStudyRecord', trial)
  expect(recordOf(await ended(admin, jobId)).request).toBeString()
  await holding(['trial.write', 'trial.exportData'])
  const refused = await admin.call('GET', `/jobs/${jobId}`)
  expect(refused.status).toBe(403)
  expect(asText(refused.body)).not.toContain('/storage/')
  const { entries } = await owner.do('readLogs', trial, { type: 'accessRefused' })
  expect(entries[0]).toMatchObject({ userEmail: admin.email, event: { operation: 'GET /jobs/:jobId' } })
  await holding([])
  expect((await admin.call('GET', `/jobs/${jobId}`)).status).toBe(404)
  await holding(['trial.admin'])
  expect((await admin.do('readJob', jobId)).status).toBe('done')
})

test('the hash of a signature is shown only to people who see everything signed, since answers could be guessed from it', async () => {
  const s = await secretStudy()
  const { owner, trial, anna, response } = s
  const app = await s.signInStaff(owner)
  await app.do('confirmIdentity', { password: PASSWORD })
  const signature = await app.do('signResponses', trial, { participant: anna, meaning: 'Reviewed' })
  const hashes = [present(signature.hash), present(firstOf(signature.responses).hash)]
  expect(hashes.map((hash) => hash.length)).toEqual([64, 64])
  const signatures = `/trials/${trial}/participants/${anna}/signatures` as const
  const readings = [
    signatures,
    `/trials/${trial}/responses/${response}`,
    `/trials/${trial}/responses/${response}/history`,
    `/trials/${trial}/participants/${anna}/responses`,
    `/trials/${trial}/stages/${s.stage}/responses`,
    `/trials/${trial}/logs?type=signResponses`,
    `/trials/${trial}/logs?type=signResponses&format=csv`,
  ]
  for (const url of readings) {
    const text = asText(await s.blind.get(url))
    expect([url, text.includes('Reviewed')]).toEqual([url, true])
    expect([url, hashes.filter((hash) => text.includes(hash))]).toEqual([url, []])
  }
  expect(await owner.do('readSignatures', trial, anna)).toMatchObject({
    signatures: [{ hash: hashes[0], valid: true }],
  })
  const [seen] = (await s.blind.do('readSignatures', trial, anna)).signatures
  expect(seen).toMatchObject({ valid: true, responses: [{ response, valid: true }] })
})

test('a note on why a hidden field was changed is as hidden as the field', async () => {
  const s = await secretStudy()
  const { trial, response, owner, blind, anna } = s
  const note = { updateNote: 'Not Quokkaflower: misheard.' }
  await s.enter({ symptom: 'rash', pulse: 64 }, note)
  await s.enter({ pulse: 65 }, { updateNote: 'Counted again.' })
  await s.enter({ glucose: 5, symptom: 'cough' }, note)
  for (const url of [
    `/trials/${trial}/responses/${response}`,
    `/trials/${trial}/responses/${response}/history`,
    `/trials/${trial}/participants/${anna}/responses`,
    `/trials/${trial}/responses?type=raw`,
    `/trials/${trial}/stages/${s.stage}/responses`,
  ]) {
    expect(asText(await owner.get(url))).toContain('misheard')
    const text = asText(await blind.get(url))
    expect([url, text.includes('misheard'), text.includes('Counted again.')]).toEqual([url, false, true])
  }
})

test('every audit entry about a participant names them, so that restricted accounts do not see it', async () => {
  const every = await everything()
  const { owner, trial, anna, db, params } = every
  const outsider = every.staff(trial, ['trial.manageWallet'])
  for (const url of [
    `/trials/${trial}/participants/${anna}`,
    `/trials/${trial}/participants/${anna}/responses`,
    `/trials/${trial}/responses/${params.responseId}`,
    `/queries/${params.queryId}`,
  ]) {
    expect((await outsider.call('GET', url)).status).toBe(403)
  }
  const { entries } = await owner.do('readLogs', trial, { type: 'accessRefused' })
  expect(entries.map(({ participantId }) => participantId)).toEqual(Array(4).fill('P-1'))
  const silent = db.$client.query(
    `SELECT type, event FROM auditEntries WHERE participant IS NULL AND (instr(event, $anna) OR instr(event, $response))`,
  )
  expect(silent.all({ anna, response: params.responseId! })).toEqual([])
})

test('nobody can sign in with the contents of the database', async () => {
  const s = await secretStudy()
  const app = await s.signInStaff(s.owner)
  const { secret: totp } = await app.do('beginTotp')
  const { url } = await s.owner.do('createGrant', s.trial, s.anna)
  const { token } = await s.owner.do('createStageToken', s.trial, s.anna, s.stage)
  const { key } = await app.do('createApiKey', { name: 'script' })
  const grant = new URL(present(url)).searchParams.get('grant')!
  expect((await s.owner.do('readGrant', s.trial, s.anna)).url).toBe(url)
  const tables = s.db.$client
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
  const all = tables.map(({ name }) => asText(s.db.$client.query(`SELECT * FROM "${name}"`).all())).join()
  const session = app.cookie.split('=')[1]!
  for (const secret of [totp, grant, token, key, PASSWORD, session]) expect(all).not.toContain(secret)
})

test('a file that is written while a permission is withdrawn is not handed out', async () => {
  const s = await secretStudy()
  const { trial, owner, service, stage, response } = s
  const keys = ['trial.read', 'trial.exportData']
  const SEEN = 'trial.readParticipantStudyDataRestricted'
  const reader = s.staff(trial, [...keys, SEEN])
  const holding = (words: string[]) =>
    owner.do('setPermissions', trial, reader._id, { permissions: { [trial]: words } })
  const { perform } = service.services.pool
  for (const url of [
    `/trials/${trial}/responses`,
    `/trials/${trial}/responses?type=csv`,
    `/trials/${trial}/responses?type=excel`,
    `/trials/${trial}/stages/${stage}/responses`,
    `/stages/${stage}?format=docx&response=${response}`,
  ]) {
    await holding([...keys, SEEN])
    expect([url, (await reader.call('GET', url)).status]).toEqual([url, 200])
    service.services.pool.perform = async (task) => {
      const result = await perform(task)
      await holding(keys)
      return result
    }
    expect([url, (await reader.call('GET', url)).status]).toEqual([url, 403])
    service.services.pool.perform = perform
  }
})

test('the request of an account that is disabled during its preparation is refused', async () => {
  const s = await secretStudy()
  const { trial, db, service } = s
  const reader = s.staff(trial, ['trial.read', 'trial.exportData'])
  const { perform } = service.services.pool
  service.services.pool.perform = async (task) => {
    const result = await perform(task)
    db.$client.run('UPDATE users SET isDisabled = 1 WHERE _id = ?', [reader._id])
    return result
  }
  expect((await reader.call('GET', `/trials/${trial}/responses?type=csv`)).status).toBe(401)
})
