/** Shared devices and PINs in the database. */
import type { VisibleScope } from '#access/caller'
import { sitesOfParticipant } from '#conduct/participants/membershipStore'
import type { Db } from '#db/open'
import { deleteWhere, insert, rowsFrom, rowsWhere, rowWhere, updateById, updateWhere, upsert } from '#db/rows'
import { participantPins, participantTokens, sharedDevices } from '#db/tables/index'
import { type Id, sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type DeviceRow = typeof sharedDevices.$inferSelect
export type PinRow = typeof participantPins.$inferSelect

/** The most shared devices of a trial that are shown: the newest. */
const MOST = 1000

/** @param scope the sites whose devices are shown; those of the whole trial only with `all` */
export const devicesOf = (db: Db, trial: Id, scope: VisibleScope): DeviceRow[] =>
  scope === 'all'
    ? rowsFrom(db, sharedDevices, 'WHERE trial = $trial ORDER BY _id DESC LIMIT +$limit', { trial, limit: MOST })
    : scope.sites
        .flatMap((site) =>
          rowsFrom(db, sharedDevices, 'WHERE site = $site AND +trial = $trial ORDER BY _id DESC LIMIT +$limit', {
            site,
            trial,
            limit: MOST,
          }),
        )
        .sort((a, b) => (a._id < b._id ? 1 : -1))
        .slice(0, MOST)

export const insertDevice = (db: Db, row: typeof sharedDevices.$inferInsert): DeviceRow =>
  insert(db, sharedDevices, row)

export const changeDevice = (db: Db, _id: Id, change: Partial<DeviceRow>): DeviceRow =>
  updateById(db, sharedDevices, _id, change)

/** Ends the sessions on a device. */
export const endSessionsOn = (db: Db, device: Id) => deleteWhere(db, participantTokens, { device })

/** The device whose link this is, while the link is valid. */
export function deviceByLink(db: Db, link: string, now: Instant): DeviceRow | undefined {
  const device = rowWhere(db, sharedDevices, { linkHash: sha256(link) })
  return device?.linkExpiresAt != null && device.linkExpiresAt > now ? device : undefined
}

export const deviceBySecret = (db: Db, secret: string): DeviceRow | undefined =>
  rowWhere(db, sharedDevices, { secretHash: sha256(secret) })

/** Whether participants of the device's site are meant, and this is one of them. */
export const isForDevice = (db: Db, { site }: DeviceRow, participant: Id): boolean =>
  site === null || sitesOfParticipant(db, participant).includes(site)

export const pinOf = (db: Db, participant: Id): PinRow | undefined => rowWhere(db, participantPins, { participant })

export const savePin = (db: Db, row: PinRow): void => {
  upsert(db, participantPins, row, 'participant')
}

/** Stores the same PIN hashed with another key. */
export const renewPin = (db: Db, participant: Id, hash: string): void =>
  void updateWhere(db, participantPins, { participant }, { hash })

export const deletePin = (db: Db, participant: Id) => deleteWhere(db, participantPins, { participant })

/** The devices on which somebody may have tried the PIN of a participant. */
export const devicesWithAttempts = (db: Db, trial: Id): DeviceRow[] =>
  rowsWhere(db, sharedDevices, { trial, endedAt: null })

/** Whether there is a device on which the participant could sign in. */
export const hasDevice = (db: Db, trial: Id, participant: Id, now: Instant): boolean =>
  rowsFrom(
    db,
    sharedDevices,
    `WHERE trial = $trial AND endedAt IS NULL AND expiresAt > +$now
       AND (site IS NULL OR site IN (SELECT site FROM participantSites WHERE participant = +$participant)) LIMIT 1`,
    { trial, participant, now },
  ).length > 0
