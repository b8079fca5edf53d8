/** The statements that compare dispensed packs with their events, their dispensations and the arms of their participants. */
import type { Connection } from '#db/textIndex'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** A pack that does not fit. `participantId`: of the participant who has it now, or who received it. */
export type WrongPack = { pack: Id; name: string | null; participantId: string | null }

/** The types of packs of each arm. */
const TYPES = `(SELECT _id AS arm, randomisation, packType FROM randomisationArms WHERE packType IS NOT NULL
  UNION ALL SELECT arm, randomisation, packType FROM randomisationDispensing)`

/** The packs that randomisations gave, each with the participant and the arm that the participant has. */
const GIVEN = `(SELECT a.pack, a.participant, a.arm FROM allocations AS a WHERE a.pack IS NOT NULL
  UNION ALL SELECT given.pack, d.participant, a.arm
    FROM dispensedPacks AS given JOIN dispensations AS d ON d._id = given.dispensation
    LEFT JOIN allocations AS a ON a.participant = d.participant AND a.randomisation = d.randomisation)`

const LAST = (what: string, pack: string) =>
  `(SELECT e.${what} FROM packEvents AS e WHERE e.pack = ${pack} AND e.type = 'dispensed' ORDER BY e._id DESC LIMIT 1)`

/** A pack with a participant to whom it was not dispensed last, or that was of another type then; undefined if there is none. */
export const changedPack = (db: Connection): WrongPack | undefined =>
  db.$client
    .query<WrongPack, []>(
      `SELECT p._id AS pack, p.name, who.id AS participantId FROM packs AS p
         LEFT JOIN participants AS who ON who._id = p.participant
       WHERE p.participant IS NOT NULL
         AND (${LAST('participant', 'p._id')} IS NOT p.participant OR ${LAST('packType', 'p._id')} IS NOT p.packType)
       LIMIT 1`,
    )
    .get() ?? undefined

/**
 * A pack that a randomisation gave and that is not of the arm, or was never dispensed to the participant, or is with another; undefined if
 * there is none.
 */
export const misplacedPack = (db: Connection): WrongPack | undefined =>
  db.$client
    .query<WrongPack, []>(
      `SELECT given.pack, p.name, who.id AS participantId FROM ${GIVEN} AS given
         LEFT JOIN packs AS p ON p._id = given.pack
         LEFT JOIN participants AS who ON who._id = given.participant
       WHERE NOT EXISTS (SELECT 1 FROM ${TYPES} AS types WHERE types.arm = given.arm AND types.packType = p.packType)
         OR NOT EXISTS (SELECT 1 FROM packEvents AS e
           WHERE e.pack = given.pack AND e.type = 'dispensed' AND e.participant = given.participant)
         OR (p.participant IS NOT given.participant AND NOT EXISTS (SELECT 1 FROM packEvents AS e
           WHERE e.pack = given.pack AND e.type = 'unassigned' AND e.participant = given.participant))
       LIMIT 1`,
    )
    .get() ?? undefined

/** How many packs randomisations gave. */
export const givenPacks = (db: Connection): number =>
  db.$client.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${GIVEN}`).get()!.count

/** See `wrongPacks`. `recordedAt`: when it was recorded that the participant got it. */
export type PackOfOtherArm = WrongPack & { code: string; state: string; recordedAt: Instant }

/**
 * Packs with a participant whose arms give no packs of the type, though a sealed randomisation does; not those that were dispensed before
 * the sealing. A participant without an arm counts, too.
 */
export const packsOfOtherArms = (db: Connection): PackOfOtherArm[] =>
  db.$client
    .query<PackOfOtherArm, []>(
      `SELECT p._id AS pack, p.name, who.id AS participantId, p.state, t.code,
         ${LAST('createdAt', 'p._id')} AS recordedAt
       FROM (SELECT types.packType, min(r.sealedAt) AS sealedAt FROM ${TYPES} AS types
           JOIN randomisations AS r ON r._id = types.randomisation WHERE r.status <> 'draft' GROUP BY types.packType) AS sealed
         CROSS JOIN packs AS p ON p.packType = sealed.packType
         JOIN trials AS t ON t._id = p.trial
         LEFT JOIN participants AS who ON who._id = p.participant
       WHERE p.participant IS NOT NULL AND recordedAt >= sealed.sealedAt
         AND NOT EXISTS (SELECT 1 FROM allocations AS a JOIN ${TYPES} AS types ON types.arm = a.arm
           WHERE a.participant = p.participant AND types.packType = p.packType)
       ORDER BY p._id`,
    )
    .all()
