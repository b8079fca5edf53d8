/** How the device of a participant hands over entries that the study refused. */
import { self } from '#conduct/participantSessions/scope'
import { insert } from '#db/rows'
import { heldEntries } from '#db/tables/index'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { NewHeldEntry, OwnHeldEntries, OwnHeldEntry } from './model'
import { type HeldEntryRow, heldEntryOf, isStored, MOST_HELD, ownHeldEntries, waitingOf } from './store'

const ownView = ({ path, ...held }: HeldEntryRow) => ({ ...held, stage: path })

const holdEntry = operation({
  id: 'holdEntry',
  method: 'POST',
  path: '/participants/held',
  summary: 'Hand over an entry that the study refused',
  description:
    'The study team sees it, and enters or refuses it. The same entry is held once. Locks do not stop it, as it is no study data yet.',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  limit: 60,
  logs: 'holdEntry',
  body: NewHeldEntry,
  returns: OwnHeldEntry,
  run: ({ db, trial, participant, body, id, now, record }) => {
    const { entry, stage: path, response, code = null, message = null } = body
    if (participant.isWithdrawn)
      throw refuse.forbidden('You have withdrawn from this study, so nothing more is collected.', { code: 'withdrawn' })
    const text = JSON.stringify(response)
    const known = heldEntryOf(db, participant._id, entry)
    if (known && (known.path !== path || known.body !== text))
      throw refuse.bad('The study team has another entry with this id already.', { code: 'otherEntry' })
    if (known) {
      record({ event: { heldEntry: known._id, unchanged: true } })
      return ownView(known)
    }
    if (isStored(db, participant._id, entry)) throw refuse.repeatedEntry()
    if (waitingOf(db, participant._id) >= MOST_HELD)
      throw refuse.bad(`${MOST_HELD} entries wait for the study team already: keep this one until they have decided.`, {
        code: 'tooManyHeld',
      })
    const about = { trial: trial._id, participant: participant._id, entry, path, code: code || null, message }
    const held = insert(db, heldEntries, { _id: id(), createdAt: now, ...about, body: text, status: 'held' })
    record({ event: { heldEntry: held._id, entryId: entry, path, ...(code ? { code } : {}) } })
    return ownView(held)
  },
})

const listOwn = operation({
  id: 'listOwnHeldEntries',
  method: 'GET',
  path: '/participants/held',
  summary: 'List one’s own held entries, and what became of them',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  returns: OwnHeldEntries,
  run: ({ db, participant }) => ({ heldEntries: ownHeldEntries(db, participant._id).map(ownView) }),
})

export const ownHeldEntryOperations = [holdEntry, listOwn] as const
