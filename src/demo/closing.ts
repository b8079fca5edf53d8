/** The end of the study: every casebook is signed, the database locked, what it left compared with what was sent. */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { fault } from '../kernel/fault'
import { type Client, forEach } from './client'
import type { Member } from './enrolment'
import { participants, sent } from './entry'
import { agreeRows, expected, type Row, rowsOf } from './exports'
import { type StageKey, stageTitle } from './ledger'
import type { Study } from './study'
import { MEANING } from './trial'

const inView = ({ members }: Study): Member[] => [...members.values()].filter(({ state }) => state !== 'archived')

/** @param app the owner in the web app. Answers how many casebooks were signed, and how many responses were locked */
export async function close(study: Study, app: Client, password: string) {
  const { owner, trial, ledger, witness } = study
  const path = `/trials/${trial._id}`
  const turn = (isDatabaseLocked: boolean) => ({
    isDatabaseLocked,
    databaseLockJustification: isDatabaseLocked ? 'The last casebook is signed.' : 'A report of a site is missing.',
  })
  const refused = async (status: number, client: Client, method: string, at: string, body: unknown) => {
    ledger.refusals++
    if (status === 403) ledger.accessRefused++
    return client.refused(status, method, at, body)
  }
  const everybody = inView(study)
  const sign = (client: Client, { _id }: Member) =>
    client.post(`${path}/signatures`, { participant: _id, meaning: MEANING })

  const [first, ...others] = everybody
  const signing = { participant: first!._id, meaning: MEANING }
  for (const [client, at] of [
    [owner, 'with a key'],
    [app, 'in a session that was not confirmed'],
  ] as const) {
    const { details } = await refused(403, client, 'POST', `${path}/signatures`, signing)
    witness.agree(`signing ${at}`, details, { code: 'reauth' })
  }
  await app.post('/sessions/confirmations', { password })
  await refused(400, app, 'POST', `${path}/signatures`, { ...signing, meaning: 'Seen.' })
  await forEach(others, (member) => sign(app, member))
  await refused(400, app, 'PUT', path, turn(true)) // one casebook is missing
  await sign(app, first!)
  await checkCasebooks(study, undefined)

  const [changed] = study.queries
  const reviewed = `${path}/responses/${changed!.response}`
  const status = (value: string | null) => owner.put(`${reviewed}/status`, { status: value })
  await status('unsuccessful')
  await checkCasebooks(study, changed!.participantId)
  await refused(400, app, 'PUT', path, turn(true))
  await status('successful')
  await sign(app, study.members.get(changed!.participantId)!)
  await checkCasebooks(study, undefined)

  await refused(403, owner, 'PUT', path, turn(true))
  await app.put(path, turn(true))
  await refuseWrites(study, refused)
  const locked = await checkDataset(study)
  await refused(403, owner, 'PUT', path, turn(false))
  await app.put(path, turn(false))
  const field = trial.fields.ae_term!
  const { responseValidations } = await owner.post(`${reviewed}/dataTypes/${field}/validations`)
  const isMarked = responseValidations[changed!.response].some((mark: { dataType: string }) => mark.dataType === field)
  witness.agree('whether an unlocked database takes a mark', isMarked, true)
  return { signed: everybody.length, locked }
}

/** @param open whose casebook is not complete */
async function checkCasebooks(study: Study, open: string | undefined): Promise<void> {
  const { owner, trial, ledger, witness } = study
  const { casebooks } = await owner.get(`/trials/${trial._id}/signatures/casebooks`)
  const counts = Map.groupBy(ledger.entries.values(), ({ person }) => person.participantId)
  const told = inView(study).map(({ person }) => {
    const count = counts.get(person.participantId)!.length
    const isOpen = person.participantId === open
    return [person.participantId, count, count - Number(isOpen), !isOpen].join(' ')
  })
  type Casebook = { participantId: string; responseCount: number; signedCount: number; isComplete: boolean }
  const said = casebooks.map(({ participantId, responseCount, signedCount, isComplete }: Casebook) =>
    [participantId, responseCount, signedCount, isComplete].join(' '),
  )
  witness.agree('the casebooks', said.sort(), told.sort())
}

type Refused = (
  status: number,
  client: Client,
  method: string,
  path: string,
  body: unknown,
) => Promise<{ message: string }>

/** Nobody changes a locked database: neither the participant, nor the nurse, nor the owner. */
async function refuseWrites(study: Study, refused: Refused): Promise<void> {
  const { trial, owner, witness, ledger } = study
  const member = [...study.members.values()].find(({ state }) => state === 'active')!
  const nurse = trial.nurses[member.person.site]!
  const answers = sent(study, { ae_term: 'Headache', ae_severity: ['Mild'], ae_serious: ['No'] })
  const own = `/participants/trials/${trial._id}/stages/${trial.stages.phq9}::0/responses`
  const at = participants(study)
  const isLocked = ({ message }: { message: string }) => /database is locked/.test(message)
  const told = await member.app.refused(403, 'POST', own, answers)
  ledger.refusals++
  witness.agree('why the participant is refused', isLocked(told), true)
  for (const [client, method, path, body] of [
    [nurse, 'PUT', `${at}/${member._id}/responses/${trial.stages.adverse}`, { response: answers }],
    [nurse, 'POST', at, { participantId: 'NEW-001' }],
    [owner, 'PUT', `${at}/${member._id}`, { isWithdrawn: true }],
    [owner, 'DELETE', `${at}/${member._id}`, { reason: 'Only to see whether I may.' }],
  ] as const) {
    const why = await refused(403, client, method, path, body)
    witness.agree(`why ${method} ${path} is refused`, isLocked(why), true)
  }
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** What the lock left behind, opened as anyone would. Answers how many responses are in it. */
async function checkDataset(study: Study): Promise<number> {
  const { owner, witness, ledger } = study
  const dataset = await newest(study)
  const file = await owner.download(dataset.request)
  witness.agree('the SHA-256 of the locked dataset', sha256(file), dataset.sha256)
  const parts = await partsOf(file)
  const manifest = `${parts.get('MANIFEST')}`.trimEnd().split('\n')
  const hashes = [...parts].filter(([name]) => name !== 'MANIFEST').map(([name, bytes]) => `${sha256(bytes)}  ${name}`)
  witness.agree('its MANIFEST', manifest.sort(), hashes.sort())

  const table = (name: string): Promise<Row[]> => rowsOf(`${parts.get(name) ?? ''}`)
  const all = expected(study)
  let locked = 0
  for (const stage of ['enrolment', 'phq9', 'gad7', 'adverse'] as const satisfies StageKey[]) {
    const name = `data/${stageTitle[stage](0).replace(/1$/, '%n')}.csv`
    const entries = all.filter((entry) => entry.stage === stage)
    agreeRows(study, `the locked ${name}`, await table(name), entries, [])
    locked += entries.length
  }
  const people = (await table('participants.csv')).map((row) => `${row.participantId} ${row.email} ${row.phone}`)
  const told = inView(study).map(
    ({ person: { participantId: id, email = '', phone = '' } }) => `${id} ${email} ${phone}`,
  )
  witness.agree('its participants', people.sort(), told.sort())
  const trail = await table('audit-trail.csv')
  const submitted = trail.filter(({ type }) => type === 'submitResponse').length
  const { user, participant } = ledger.submissions
  witness.agree('the submissions in its audit trail', submitted, user + participant)
  witness.agree('the end of its audit trail', trail.at(-1)!.type, 'lockDatabase')
  const { counts } = dataset
  witness.agree('its counts', [counts.responses, counts.participants], [all.length, inView(study).length])
  return locked
}

/** The locked dataset once it is made. @throws a fault where it is not made within a minute */
async function newest({ owner, trial }: Study) {
  for (let turn = 0; turn < 3000; turn++) {
    const { datasets } = await owner.get(`/trials/${trial._id}/locked-datasets`)
    if (datasets[0]?.status === 'done') return datasets[0]
    if (datasets[0]?.status === 'error') throw fault(`The locked dataset could not be made: ${datasets[0].error}`)
    await wait(20)
  }
  throw fault('The locked dataset was not made within a minute.')
}

/** The parts of a zip by their names. */
async function partsOf(zip: Uint8Array): Promise<Map<string, Uint8Array>> {
  const { CFB } = await import('xlsx')
  const { FullPaths, FileIndex } = CFB.read(Buffer.from(zip), { type: 'buffer' })
  const parts = new Map<string, Uint8Array>()
  for (const [n, path] of FullPaths.entries()) {
    const [, ...rest] = path.split('/')
    const name = rest.join('/')
    if (name && !name.endsWith('/') && !name.startsWith('\u0001')) parts.set(name, FileIndex[n]!.content as Uint8Array)
  }
  return parts
}
