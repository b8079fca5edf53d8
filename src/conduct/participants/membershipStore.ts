/** Which sites and groups participants are members of, as it is stored. Plain SQL, as every submission asks for it. */
import type { Kind } from '#access/places'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'

const TABLES = { site: 'participantSites', group: 'participantGroups' } as const

export const sitesOfParticipant = (db: Db, participant: Id): Id[] =>
  db.$client
    .query<{ site: Id }, [Id]>('SELECT site FROM participantSites WHERE participant = ?')
    .all(participant)
    .map(({ site }) => site)

export const groupsOfParticipant = (db: Db, participant: Id): Id[] =>
  db.$client
    .query<{ group: Id }, [Id]>('SELECT "group" FROM participantGroups WHERE participant = ?')
    .all(participant)
    .map(({ group }) => group)

/** Makes the participant a member; without effect where it is one. */
export const join = (db: Db, kind: Kind, participant: Id, place: Id) =>
  db.$client
    .query(`INSERT INTO ${TABLES[kind]} (participant, "${kind}") VALUES (?, ?) ON CONFLICT DO NOTHING`)
    .run(participant, place)

/** Ends the membership; without effect where there is none. */
export const leave = (db: Db, kind: Kind, participant: Id, place: Id) =>
  db.$client.query(`DELETE FROM ${TABLES[kind]} WHERE participant = ? AND "${kind}" = ?`).run(participant, place)
