/** How the device of a participant hands over entries that the study refused. */
import { self } from '#conduct/participantSessions/scope'
import { operation } from '#http/operation'
import { requireEntryConsent, requireNotWithdrawn, storeHeldEntry } from './hold'
import { NewHeldEntry, OwnHeldEntries, OwnHeldEntry } from './model'
import { type HeldEntryRow, LARGEST_HELD, ownHeldEntries } from './store'

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
  maxBodyBytes: LARGEST_HELD,
  returns: OwnHeldEntry,
  run: ({ db, services, trial, participant, body, id, now, record }) => {
    const { stage: path, code, message, opened, ...sent } = body
    requireNotWithdrawn(participant)
    requireEntryConsent(
      { db, services, trial, participant },
      { path, response: sent.response, ...(opened && { opened }) },
    )
    const { held, event } = storeHeldEntry(
      { db, id, now, trial, participant },
      { ...sent, path, code: code || null, message },
    )
    record({ event })
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
