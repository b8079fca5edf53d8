/** Memberships of participants in sites and groups, in the database. */
import type { PlaceKind } from '#access/places'
import type { Db } from '#db/open'
import { deleteWhere, insertNew, rowsWhere } from '#db/rows'
import { participantGroups, participantSites } from '#db/tables/index'
import type { Id } from '#kernel/id'

export const sitesOfParticipant = (db: Db, participant: Id): Id[] =>
  rowsWhere(db, participantSites, { participant }).map(({ site }) => site)

export const groupsOfParticipant = (db: Db, participant: Id): Id[] =>
  rowsWhere(db, participantGroups, { participant }).map(({ group }) => group)

/** Makes the participant a member; does nothing if they are one already. */
export const addMembership = (db: Db, kind: PlaceKind, participant: Id, place: Id) =>
  kind === 'site'
    ? insertNew(db, participantSites, { participant, site: place })
    : insertNew(db, participantGroups, { participant, group: place })

/** Ends the membership; does nothing if there is none. */
export const endMembership = (db: Db, kind: PlaceKind, participant: Id, place: Id) =>
  kind === 'site'
    ? deleteWhere(db, participantSites, { participant, site: place })
    : deleteWhere(db, participantGroups, { participant, group: place })
