/** The end of the study: all casebooks are signed, the database is locked, and the locked dataset is compared with what was sent. */
import { type Client, forEach } from './client'
import { checkDataset } from './dataset'
import { inView } from './enrolment'
import { participants, submissionOf } from './entry'
import type { Member, RaisedQuery, Study } from './model'
import { MEANING } from './trial'

/** @param app the owner in the web app. @returns how many casebooks were signed, and how many responses were locked */
export async function close(study: Study, app: Client, password: string) {
  await refuseUnconfirmed(study, app)
  await app.post('/sessions/confirmations', { password })
  const signed = await signCasebooks(study, app)
  await refused(study, 403, study.owner, 'PUT', at(study), turn(true))
  await app.put(at(study), turn(true))
  await refuseWrites(study)
  const locked = await checkDataset(study)
  await refused(study, 403, study.owner, 'PUT', at(study), turn(false))
  await app.put(at(study), turn(false))
  await verifyAgain(study)
  return { signed, locked }
}

const at = ({ trial }: Study) => `/trials/${trial._id}`

const turn = (isDatabaseLocked: boolean) => ({
  isDatabaseLocked,
  databaseLockJustification: isDatabaseLocked ? 'The last casebook is signed.' : 'A report of a site is missing.',
})

/** Sends a staff request that must be refused. `record` counts a 403, because the event log has an entry for it. */
function refused({ record }: Study, status: number, client: Client, method: string, path: string, body: unknown) {
  record.refusals++
  if (status === 403) record.accessRefused++
  return client.refused(status, method, path, body)
}

const signing = ({ _id }: Member) => ({ participant: _id, meaning: MEANING })

/** Neither an API key nor a session without a confirmed identity can sign. */
async function refuseUnconfirmed(study: Study, app: Client): Promise<void> {
  const path = `${at(study)}/signatures`
  for (const client of [study.owner, app]) {
    const { details } = await refused(study, 403, client, 'POST', path, signing(inView(study)[0]!))
    study.checks.equal('why nothing is signed', details?.code, 'reauth')
  }
}

/** Signs all casebooks. The database cannot be locked until all are signed and every signature is valid. */
async function signCasebooks(study: Study, app: Client): Promise<number> {
  const { owner, members } = study
  const path = `${at(study)}/signatures`
  const sign = (member: Member) => app.post(path, signing(member))
  const refuseLock = () => refused(study, 400, app, 'PUT', at(study), turn(true))
  const [first, ...others] = inView(study)
  await refused(study, 400, app, 'POST', path, { ...signing(first!), meaning: 'Seen.' })
  await forEach(others, sign)
  await refuseLock()
  await sign(first!)
  await checkCasebooks(study, undefined)

  const { response, participantId } = study.queries[0]!
  const setStatus = (status: string) => owner.put(`${at(study)}/responses/${response}/status`, { status })
  await setStatus('unsuccessful')
  await checkCasebooks(study, participantId)
  await refuseLock()
  await setStatus('successful')
  await sign(members.get(participantId)!)
  await checkCasebooks(study, undefined)
  return 1 + others.length
}

/** Checks that source verification is possible again after the database is unlocked. */
async function verifyAgain(study: Study): Promise<void> {
  const { owner, trial, checks, queries } = study
  const [{ response }] = queries as [RaisedQuery]
  const field = trial.fields.ae_term!
  const { responseValidations } = await owner.post(`${at(study)}/responses/${response}/dataTypes/${field}/validations`)
  const isMarked = responseValidations[response].some((mark: { dataType: string }) => mark.dataType === field)
  checks.equal('whether an unlocked database takes a mark', isMarked, true)
}

/** @param open the participant whose casebook is not complete */
async function checkCasebooks(study: Study, open: string | undefined): Promise<void> {
  const { owner, trial, record, checks } = study
  const { casebooks } = await owner.get(`/trials/${trial._id}/signatures/casebooks`)
  const counts = Map.groupBy(record.entries.values(), ({ person }) => person.participantId)
  const told = inView(study).map(({ person }) => {
    const count = counts.get(person.participantId)!.length
    const isOpen = person.participantId === open
    return [person.participantId, count, count - Number(isOpen), !isOpen].join(' ')
  })
  type Casebook = { participantId: string; responseCount: number; signedCount: number; isComplete: boolean }
  const said = casebooks.map(({ participantId, responseCount, signedCount, isComplete }: Casebook) =>
    [participantId, responseCount, signedCount, isComplete].join(' '),
  )
  checks.equal('the casebooks', said.sort(), told.sort())
}

/** Nobody changes a locked database: neither the participant, nor the nurse, nor the owner. */
async function refuseWrites(study: Study): Promise<void> {
  const { trial, owner, checks, record } = study
  const member = [...study.members.values()].find(({ state }) => state === 'active')!
  const nurse = trial.nurses[member.person.site]!
  const answers = submissionOf(study, { ae_term: 'Headache', ae_severity: ['Mild'], ae_serious: ['No'] })
  const own = `/participants/trials/${trial._id}/stages/${trial.stages.phq9}::0/responses`
  const at = participants(study)
  const isLocked = ({ message }: { message: string }) => /database is locked/.test(message)
  const told = await member.app.refused(403, 'POST', own, answers)
  record.refusals++
  checks.equal('why the participant is refused', isLocked(told), true)
  for (const [client, method, path, body] of [
    [nurse, 'PUT', `${at}/${member._id}/responses/${trial.stages.adverse}`, { response: answers }],
    [nurse, 'POST', at, { participantId: 'NEW-001' }],
    [owner, 'PUT', `${at}/${member._id}`, { isWithdrawn: true }],
    [owner, 'DELETE', `${at}/${member._id}`, { reason: 'Only to see whether I may.' }],
  ] as const) {
    const why = await refused(study, 403, client, method, path, body)
    checks.equal(`why ${method} ${path} is refused`, isLocked(why), true)
  }
}
