/** Registers participants: one, or a batch of which all or none are written (docs/participants.md, "Registration"). */
import type { Access } from '#access/caller'
import { placeVisibleTo } from '#access/places'
import type { Db } from '#db/open'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { byBody, either, list, type Of, shape } from '#wire/words'
import { placesOfRegistrar } from './memberships'
import { Participant, Registration, Registrations } from './model'
import { hashAll } from './passwords'
import { register } from './register'
import { foldId, idProblem } from './rules'
import { idsOutsideTrial, participantByParticipantId, roomInTeam, viewsOf } from './store'

type Entry = Of<typeof Registration>
type Body = Entry | Of<typeof Registrations>

const entriesOf = (body: Body): Entry[] => ('participants' in body ? body.participants : [body])
const groupsOf = ({ groups = [], group }: Entry): Id[] => [
  ...new Set(group === undefined ? groups : [...groups, group]),
]

/** Refuses (422) IDs that are invalid in themselves. */
function requireValidIds(body: Body): void {
  const batch = 'participants' in body
  const problems = entriesOf(body).flatMap(({ participantId }, index) => {
    const problem = idProblem(participantId)
    return problem ? [batch ? `${index}.participantId: ${problem}` : problem] : []
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

/** Checks the whole batch before the first participant is inserted (404, 400). */
function requireRoom(db: Db, trial: { _id: Id; team: Id }, access: Access, entries: readonly Entry[]): void {
  const groups = [...new Set(entries.flatMap(groupsOf))]
  if (!groups.every((group) => placeVisibleTo(access, 'group', group))) throw refuse.missing('group')
  const unknown = idsOutsideTrial(db, 'groups', trial._id, groups)
  if (unknown.length)
    throw refuse.bad(`There is no such group in this trial: ${unknown.join(', ')}.`, { groups: unknown })
  const twice = duplicates(db, trial._id, entries)
  if (twice.length === 1) throw refuse.taken('participant ID', twice[0]!)
  if (twice.length) {
    const shown = twice.slice(0, 20).join(', ')
    const more = twice.length > 20 ? ` and ${twice.length - 20} more` : ''
    throw refuse.bad(`These participant IDs are already in use or given twice: ${shown}${more}.`, {
      participantIds: twice,
    })
  }
  const room = roomInTeam(db, trial.team)
  if (room !== null && entries.length > room) {
    throw refuse.bad(
      `The team may register ${Math.max(0, room)} more participants; this request has ${entries.length}.`,
      {
        room: Math.max(0, room),
      },
    )
  }
}

const registerParticipants = operation({
  method: 'POST',
  path: '/trials/:trialId/participants',
  summary: 'Register one participant, or a batch',
  description: 'At most 5,000 a request. If one ID is in use or given twice, nobody is registered.',
  scope: trial,
  needs: anywhere('trial.registerParticipants'),
  changes: 'data',
  logs: 'createParticipant',
  body: either(Registration, Registrations),
  maxBodyBytes: 4 << 20,
  returns: byBody(Participant, { participants: shape({ participants: list(Participant) }) }),
  prepare: async ({ db, trial, access, body }) => {
    requireValidIds(body)
    // Checked first because hashing the passwords is slow, and again inside the transaction.
    requireRoom(db, trial, access, entriesOf(body))
    return hashAll(entriesOf(body).map(({ password }) => password))
  },
  run: ({ db, trial, access, body, prepared, id, now, record }) => {
    const entries = entriesOf(body)
    requireRoom(db, trial, access, entries)
    const own = placesOfRegistrar(access)
    const ids = entries.map((entry, index) => {
      const { password: _, group: __, ...given } = entry
      const groups = [...new Set([...groupsOf(entry), ...own.groups])]
      const key = { _id: id(), createdAt: now, trial: trial._id, passwordHash: prepared[index] ?? null }
      record(register(db, { ...key, ...given, groups, sites: own.sites }, given))
      return key._id
    })
    const views = viewsOf(db, ids)
    return 'participants' in body ? { participants: views } : views[0]!
  },
})

export const registrationOperations = [registerParticipants] as const
