/** Registers participants: one, or a batch of which all or none are written (docs/participants.md, "Registration"). */
import type { Access } from '#access/caller'
import { placeVisibleTo } from '#access/places'
import { hashPassword, lengthProblem } from '#accounts/users/passwords'
import type { Db } from '#db/open'
import { settingsOf } from '#design/trials/rules'
import { trial } from '#design/trials/scope'
import type { SharedTrial } from '#design/trials/store'
import { anywhere, operation } from '#http/operation'
import { insertJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { at } from '#kernel/refusals/reason'
import { foldId } from '#kernel/text'
import { byBody, either, list, shape, type ValueOf } from '#wire/schema'
import { placesOfRegistrar } from './memberships'
import { Participant, Registration, Registrations } from './model'
import { queuePassword } from './pendingPasswordStore'
import { hashPasswords, sealPassword } from './pendingPasswords'
import { register } from './register'
import { idProblem } from './rules'
import { idsOutsideTrial, participantByParticipantId, participantViews, remainingPlaces } from './store'

type Entry = ValueOf<typeof Registration>
type Body = Entry | ValueOf<typeof Registrations>

const entriesOf = (body: Body): Entry[] => ('participants' in body ? body.participants : [body])
const groupsOf = ({ groups = [], group }: Entry): Id[] => [
  ...new Set(group === undefined ? groups : [...groups, group]),
]

/** Refuses (422) IDs that are invalid in themselves. */
function requireValidIds(body: Body): void {
  const batch = 'participants' in body
  const problems = entriesOf(body).flatMap(({ participantId }, index) => {
    const problem = idProblem(participantId)
    return problem ? [batch ? at(`${index}.participantId`, problem) : problem] : []
  })
  if (problems.length) throw refuse.invalid({ [batch ? 'participants' : 'participantId']: problems.slice(0, 100) })
}

/** The IDs that are already in the trial, or more than once in the batch. */
function duplicates(db: Db, trial: Id, entries: readonly Entry[]): string[] {
  const folds = new Set<string>()
  return entries.flatMap(({ participantId }) => {
    const fold = foldId(participantId)
    const twice = folds.has(fold) || participantByParticipantId(db, trial, participantId) !== undefined
    folds.add(fold)
    return twice ? [participantId] : []
  })
}

/** The most IDs that a refusal names. */
const MOST_SHOWN = 20

/** Checks the whole batch before the first participant is inserted (404, 400). */
function requireRoom(db: Db, trial: { _id: Id; team: Id }, access: Access, entries: readonly Entry[]): void {
  const groups = [...new Set(entries.flatMap(groupsOf))]
  if (!groups.every((group) => placeVisibleTo(access, 'group', group))) throw refuse.missing('group')
  const unknown = idsOutsideTrial(db, 'groups', trial._id, groups)
  if (unknown.length) throw refuse.bad('noSuchGroups', { groups: unknown }, { groups: unknown })
  const twice = duplicates(db, trial._id, entries)
  if (twice.length === 1) throw refuse.taken('participant ID', twice[0]!)
  if (twice.length) {
    const [ids, more] = [twice.slice(0, MOST_SHOWN), twice.length - MOST_SHOWN]
    const details = { participantIds: twice }
    throw more > 0 ? refuse.bad('idsTakenOfMany', { ids, more }, details) : refuse.bad('idsTaken', { ids }, details)
  }
  const remaining = remainingPlaces(db, trial.team)
  if (remaining !== null && entries.length > remaining) {
    const room = Math.max(0, remaining)
    throw refuse.bad('teamIsFull', { room, entries: entries.length }, { room })
  }
}

/** Refuses (422) passwords that are shorter than the trial asks for. */
function requireLongPasswords(trial: SharedTrial, body: Body): void {
  const least = settingsOf(trial).participantPasswordMinLength
  const batch = 'participants' in body
  const problems = entriesOf(body).flatMap(({ password }, index) => {
    const problem = password === undefined ? undefined : lengthProblem(password, least)
    return problem ? [batch ? at(`${index}.password`, problem) : problem] : []
  })
  if (problems.length) throw refuse.invalid({ [batch ? 'participants' : 'password']: problems.slice(0, 100) })
}

/** The most passwords that a request waits for. */
const FEW = 8

/** The hashes of a few passwords, by entry; undefined if there are too many to wait for. */
async function hashFew(entries: readonly Entry[]): Promise<(string | null)[] | undefined> {
  if (entries.filter(({ password }) => password !== undefined).length > FEW) return undefined
  return Promise.all(entries.map(({ password }) => (password === undefined ? null : hashPassword(password))))
}

const registerParticipants = operation({
  id: 'registerParticipants',
  method: 'POST',
  path: '/trials/:trialId/participants',
  summary: 'Register one participant, or a batch',
  description:
    'At most 5,000 a request. If one ID is in use or given twice, nobody is registered. The passwords of a large batch are ' +
    'hashed by a job, which `X-Job` names; participants can sign in at once.',
  scope: trial,
  needs: anywhere('trial.registerParticipants'),
  changes: 'data',
  logs: 'createParticipant',
  body: either(Registration, Registrations),
  maxBodyBytes: 4 << 20,
  returns: byBody(Participant, { participants: shape('RegisteredParticipants', { participants: list(Participant) }) }),
  prepare: async ({ db, trial, access, body }) => {
    requireValidIds(body)
    requireLongPasswords(trial, body)
    // Checked first because hashing passwords is slow, and again inside the transaction.
    requireRoom(db, trial, access, entriesOf(body))
    return hashFew(entriesOf(body))
  },
  run: (context) => {
    const { services, db, trial, access, body, prepared: hashes, caller, id, now, record, headers } = context
    const entries = entriesOf(body)
    requireRoom(db, trial, access, entries)
    const own = placesOfRegistrar(access)
    const pending = hashes ? [] : entries.filter(({ password }) => password !== undefined)
    if (pending.length) {
      const job = { _id: id(), createdAt: now, user: caller.user._id, trial: trial._id }
      headers['X-Job'] = insertJob(db, hashPasswords, { ...job, input: { count: pending.length } }).jobId
    }
    const ids = entries.map((entry, index) => {
      const { password, group: _, ...given } = entry
      const groups = [...new Set([...groupsOf(entry), ...own.groups])]
      const _id = id()
      const isPending = !hashes && password !== undefined
      const passwordHash = isPending ? sealPassword(services, _id, password) : (hashes?.[index] ?? null)
      const key = { _id, createdAt: now, trial: trial._id, passwordHash }
      record(register(db, { ...key, ...given, groups, sites: own.sites }, given))
      if (isPending) queuePassword(db, _id, headers['X-Job']!)
      return _id
    })
    const views = participantViews(db, ids)
    return 'participants' in body ? { participants: views } : views[0]!
  },
})

export const registrationOperations = [registerParticipants] as const
