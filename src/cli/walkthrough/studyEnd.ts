/** The end of the study: signs all casebooks, locks the database, and compares the locked dataset with what was sent. */
import { type Client, forEach } from './client'
import { checkDataset } from './dataset'
import { notArchived } from './enrolment'
import { participants, submissionOf } from './entry'
import type { Member, RaisedQuery, Study } from './model'
import { MEANING } from './trial'

/**
 * Signs, locks, compares and unlocks.
 * @param app the owner in the web app
 * @returns how many casebooks were signed, and how many responses were locked
 */
export async function closeStudy(study: Study, app: Client, password: string) {
  await checkConfirmationNeeded(study, app)
  await app.post('/sessions/confirmations', { password })
  const signed = await signCasebooks(study, app)
  await expectRefusal(study, 403, study.owner, 'PUT', trialPath(study), lockBody(true))
  await app.put(trialPath(study), lockBody(true))
  await checkWritesRefused(study)
  const locked = await checkDataset(study)
  await expectRefusal(study, 403, study.owner, 'PUT', trialPath(study), lockBody(false))
  await app.put(trialPath(study), lockBody(false))
  await checkUnlocked(study)
  return { signed, locked }
}

const trialPath = ({ trial }: Study) => `/trials/${trial._id}`

const lockBody = (isDatabaseLocked: boolean) => ({
  isDatabaseLocked,
  databaseLockJustification: isDatabaseLocked ? 'The last casebook is signed.' : 'A report of a site is missing.',
})

/** Sends a staff request that must be refused. `record` counts a 403, because the event log has an entry for it. */
function expectRefusal({ record }: Study, status: number, client: Client, method: string, path: string, body: unknown) {
  record.refusals++
  if (status === 403) record.accessRefused++
  return client.expectRefusal(status, method, path, body)
}

const signatureBody = ({ _id }: Member) => ({ participant: _id, meaning: MEANING })

/** Neither an API key nor a session without a confirmed identity can sign. */
async function checkConfirmationNeeded(study: Study, app: Client): Promise<void> {
  const path = `${trialPath(study)}/signatures`
  for (const client of [study.owner, app]) {
    const { details } = await expectRefusal(study, 403, client, 'POST', path, signatureBody(notArchived(study)[0]!))
    study.checks.equal('why nothing is signed', details?.code, 'reauth')
  }
}

/** Signs all casebooks. The database cannot be locked until all are signed and every signature is valid. */
async function signCasebooks(study: Study, app: Client): Promise<number> {
  const { owner, members } = study
  const path = `${trialPath(study)}/signatures`
  const sign = (member: Member) => app.post(path, signatureBody(member))
  const refuseLock = () => expectRefusal(study, 400, app, 'PUT', trialPath(study), lockBody(true))
  const [first, ...others] = notArchived(study)
  await expectRefusal(study, 400, app, 'POST', path, { ...signatureBody(first!), meaning: 'Seen.' })
  await forEach(others, sign)
  await refuseLock()
  await sign(first!)
  await checkCasebooks(study, undefined)

  const { response, participantId } = study.queries[0]!
  const setStatus = (status: string) => owner.put(`${trialPath(study)}/responses/${response}/status`, { status })
  await setStatus('unsuccessful')
  await checkCasebooks(study, participantId)
  await refuseLock()
  await setStatus('successful')
  await sign(members.get(participantId)!)
  await checkCasebooks(study, undefined)
  return 1 + others.length
}

/** Checks that source verification is possible again after the database is unlocked. */
async function checkUnlocked(study: Study): Promise<void> {
  const { owner, trial, checks, queries } = study
  const [{ response }] = queries as [RaisedQuery]
  const field = trial.fields.ae_term!
  const { responseValidations } = await owner.post(
    `${trialPath(study)}/responses/${response}/dataTypes/${field}/validations`,
  )
  const isMarked = responseValidations[response].some((mark: { dataType: string }) => mark.dataType === field)
  checks.equal('whether an unlocked database takes a mark', isMarked, true)
}

/** @param open the participant whose casebook is not complete */
async function checkCasebooks(study: Study, open: string | undefined): Promise<void> {
  const { owner, trial, record, checks } = study
  const { casebooks } = await owner.get(`/trials/${trial._id}/signatures/casebooks`)
  const counts = Map.groupBy(record.entries.values(), ({ person }) => person.participantId)
  const expected = notArchived(study).map(({ person }) => {
    const count = counts.get(person.participantId)!.length
    const isOpen = person.participantId === open
    return [person.participantId, count, count - Number(isOpen), !isOpen].join(' ')
  })
  type Casebook = { participantId: string; responseCount: number; signedCount: number; isComplete: boolean }
  const actual = casebooks.map(({ participantId, responseCount, signedCount, isComplete }: Casebook) =>
    [participantId, responseCount, signedCount, isComplete].join(' '),
  )
  checks.equal('the casebooks', actual.sort(), expected.sort())
}

/** A locked database cannot be changed by the participant, the nurse or the owner. */
async function checkWritesRefused(study: Study): Promise<void> {
  const { trial, owner, checks, record } = study
  const member = [...study.members.values()].find(({ state }) => state === 'active')!
  const nurse = trial.nurses[member.person.site]!
  const answers = submissionOf(study, { ae_term: 'Headache', ae_severity: ['Mild'], ae_serious: ['No'] })
  const own = `/participants/trials/${trial._id}/stages/${trial.stages.phq9}::0/responses`
  const path = participants(study)
  const isLocked = ({ message }: { message: string }) => /database is locked/.test(message)
  const refusal = await member.app.expectRefusal(403, 'POST', own, answers)
  record.refusals++
  checks.equal('why the participant is refused', isLocked(refusal), true)
  for (const [client, method, url, body] of [
    [nurse, 'PUT', `${path}/${member._id}/responses/${trial.stages.adverse}`, { response: answers }],
    [nurse, 'POST', path, { participantId: 'NEW-001' }],
    [owner, 'PUT', `${path}/${member._id}`, { isWithdrawn: true }],
    [owner, 'DELETE', `${path}/${member._id}`, { reason: 'Only to see whether I may.' }],
  ] as const) {
    const answer = await expectRefusal(study, 403, client, method, url, body)
    checks.equal(`why ${method} ${url} is refused`, isLocked(answer), true)
  }
}
