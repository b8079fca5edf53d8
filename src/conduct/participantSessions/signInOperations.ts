/** Sign-in of participants: with their credentials, or with a link from the study team (docs/participants.md, "Sign-in"). */

import { participantAccount } from '#access/attempts'
import type { Caller } from '#access/caller'
import { hashPassword, lengthProblem, passwordMatches } from '#accounts/users/passwords'
import { appendEntry } from '#audit/append'
import { bindConsent, type ConsentProof, consentByCode, consentProof } from '#conduct/consents/proof'
import { useGrant } from '#conduct/participants/grantStore'
import { passwordHashOf } from '#conduct/participants/pendingPasswords'
import { idProblem } from '#conduct/participants/rules'
import {
  insertParticipant,
  type ParticipantRow,
  participantById,
  participantByParticipantId,
  remainingPlaces,
} from '#conduct/participants/store'
import { bindScreening } from '#conduct/screening/answer'
import type { Db } from '#db/open'
import { hasPendingDeletion } from '#db/pendingDeletions'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { settingsOf } from '#design/trials/rules'
import { namedTrial, type Trial, trialById } from '#design/trials/store'
import { type Note, operation, type RequestContext } from '#http/operation'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { foldId } from '#kernel/text'
import type { Instant } from '#kernel/time'
import type { ValueOf } from '#wire/schema'
import { Exchange, SignIn, Token } from './model'
import { type ConsentProofInput, eConsentRequired, hasConsentProof, signInFailed } from './rules'
import { startSession } from './store'

/** Wrong links that an address may try per minute. */
const WRONG_LINKS = 60

type Body = ValueOf<typeof SignIn>
const trialCodeOf = ({ trialCode, code }: Body) => trialCode ?? code ?? ''

const proofOf = ({ eConsentEmail, eConsentPhone, eConsentCode }: Body): ConsentProofInput => ({
  eConsentEmail: eConsentEmail?.trim() || undefined,
  eConsentPhone: eConsentPhone?.trim() || undefined,
  eConsentCode: eConsentCode?.trim() || undefined,
})

/** The consent that the body proves; undefined if it proves none. */
async function consentOf(body: Body): Promise<ConsentProof | undefined> {
  const { eConsentEmail: email, eConsentPhone: phone, eConsentCode } = proofOf(body)
  return eConsentCode === undefined ? undefined : await consentProof({ email, phone }, eConsentCode)
}

/**
 * The result of comparing the password. The transaction checks that `own` and `common`, the compared hashes, are still stored.
 */
type PasswordCheck = {
  trial: Id
  own: string | null
  common: string | null
  /** Whether the password fits one of the hashes. */
  fits: boolean
  /** Whether an unknown participant may register with this password. `newHash` is null if the trial cannot take them. */
  registers: boolean
  newHash: string | null
}

/** Compares the password with the participant's and the trial's. It always compares both, so that the time reveals nothing. */
async function checkPassword(services: Services, body: Body): Promise<PasswordCheck | undefined> {
  const { db } = services
  const trial = namedTrial(db, trialCodeOf(body))
  const known = trial && participantByParticipantId(db, trial._id, body.participantId.trim())
  const own = known ? await passwordHashOf(services, known) : null
  const common = trial?.passwordHash ?? null
  const [isOwn, isCommon] = await Promise.all([
    passwordMatches(body.password, own),
    passwordMatches(body.password, common),
  ])
  if (!trial) return undefined
  const registers = !known && !trial.restrictRegistration && body.password !== '' && (common === null || isCommon)
  // A failed sign-in hashes nothing, so that it takes no longer than one with an unknown code.
  const joins = registers && canRegister(db, trial, body)
  const problem = joins && lengthProblem(body.password, settingsOf(trial).participantPasswordMinLength)
  if (problem) throw refuse.invalid({ password: [problem] })
  const newHash = joins ? await hashPassword(body.password) : null
  return { trial: trial._id, own, common, fits: isOwn || isCommon, registers, newHash }
}

/** Whether a participant with this ID can register: the ID is valid, the database is not locked, and the team has room. */
function canRegister(db: Db, trial: Trial, body: Body): boolean {
  const id = body.participantId.trim()
  const room = remainingPlaces(db, trial.team)
  return !idProblem(id) && id !== '' && !trial.isDatabaseLocked && (room === null || room >= 1)
}

/** Registers an unknown participant, in a trial that allows self-registration. */
function register(
  db: Db,
  trial: Trial,
  body: Body,
  passwordHash: string | null,
  _id: Id,
  now: Instant,
): ParticipantRow {
  const id = body.participantId.trim()
  if (passwordHash === null || !canRegister(db, trial, body)) throw signInFailed()
  const key = { _id, createdAt: now, trial: trial._id }
  insertParticipant(db, { ...key, id, passwordHash, isUnallocated: false, language: null })
  const event = { after: { _id, participantId: id, passwordSet: true }, selfRegistered: true }
  appendEntry(db, {
    chain: trial._id,
    createdAt: now,
    type: 'createParticipant',
    userType: 'participant',
    participant: _id,
    event,
  })
  return rowById(db, participants, _id)!
}

/** The note of a sign-in for the trial's audit trail. The participant is its actor. */
const auditNoteOf = (trial: Id, participant: ParticipantRow, by: 'credentials' | 'grant', set: object): Note => ({
  chain: trial,
  by: { participant: participant._id },
  event: { by, ...(participant.joinedAt === null ? { first: true } : {}), ...set },
})

/** The entry of a failed sign-in: in the trail of the trial if the participant is known, else in the log of the service. */
function recordFailure({ db, now, client, body }: RequestContext<Caller> & { body: Body }): void {
  const trial = namedTrial(db, trialCodeOf(body))
  const known = trial && participantByParticipantId(db, trial._id, body.participantId.trim())
  const entry = { createdAt: now, type: 'identityNotProven', userType: 'system' as const }
  if (known) appendEntry(db, { ...entry, chain: known.trial, participant: known._id, event: {}, personal: { client } })
  else appendEntry(db, { ...entry, chain: 'service', event: { trial: trial?._id ?? null }, ...client })
}

const signIn = operation({
  id: 'signInParticipant',
  method: 'POST',
  path: '/participants/sessions',
  summary: 'Sign in as a participant',
  description:
    'Every failure gets the same 401. A first sign-in to a trial with eConsent also needs the contact and code of the consent. If they are missing and the password is right, the response is 400 with `details.eConsentRequired`.',
  who: 'anyone',
  needs: 'nothing',
  logs: 'signInParticipant',
  attempts: ({ body }) => participantAccount(trialCodeOf(body), foldId(body.participantId.trim())),
  recordFailure,
  body: SignIn,
  secret: true,
  returns: Token,
  prepare: async ({ services, body }) => {
    if (body.trialCode === undefined && body.code === undefined)
      throw refuse.invalid({ trialCode: [reason('missing')] })
    return { check: await checkPassword(services, body), consent: await consentOf(body) }
  },
  run: ({ db, services, body, prepared: { check: prepared, consent }, now, id, record }) => {
    const trial = prepared && trialById(db, prepared.trial)
    if (!trial || trial.passwordHash !== prepared.common) throw signInFailed()
    const known = participantByParticipantId(db, trial._id, body.participantId.trim())
    const maySignIn = known
      ? prepared.fits && known.passwordHash === prepared.own && !known.isArchived && !hasPendingDeletion(db, known._id)
      : prepared.registers && !trial.restrictRegistration
    if (!maySignIn) throw signInFailed()
    const isFirst = trial.settings.eConsentEnabled === true && !known?.joinedAt
    if (isFirst && !hasConsentProof(proofOf(body))) throw eConsentRequired()
    const proven = isFirst && consent ? consentByCode(db, services.seal, trial._id, consent, known) : undefined
    if (isFirst && !proven) throw signInFailed()
    const participant = known ?? register(db, trial, body, prepared.newHash, id(), now)
    const bound = proven ? bindConsent(db, proven, participant, trial.isDatabaseLocked, now) : {}
    if (proven) bindScreening({ db, now, record }, trial, proven._id, participant)
    const { token, set } = startSession(db, trial, participant, now)
    record(auditNoteOf(trial._id, participant, 'credentials', { ...set, ...bound }))
    return { token }
  },
})

const exchangeGrant = operation({
  id: 'exchangeGrant',
  method: 'POST',
  path: '/participants/grants/exchange',
  summary: 'Sign in with a link from the study team, which works once',
  who: 'anyone',
  needs: 'nothing',
  failures: WRONG_LINKS,
  logs: 'signInParticipant',
  body: Exchange,
  secret: true,
  returns: Token,
  run: ({ db, body, now, record }) => {
    const _id = useGrant(db, body.grant, now)
    const participant = _id && participantById(db, _id)
    const trial = participant && trialById(db, participant.trial)
    if (!trial || trial.deletedAt !== null || participant.isArchived) throw signInFailed()
    const { token, set } = startSession(db, trial, participant, now)
    record(auditNoteOf(trial._id, participant, 'grant', set))
    return { token }
  },
})

export const signInOperations = [signIn, exchangeGrant] as const
