/**
 * Every column of the database that holds something made with a key of the server which can be made anew with another key
 * (docs/security.md, "Keys of the server"). A test finds what seals and is not named here.
 */
import { totpSealContext } from '#accounts/users/totp'
import { grantOf } from '#conduct/participants/grantStore'
import { aboutPassword, SEALED } from '#conduct/participants/pendingPasswords'
import { aboutAccount } from '#conduct/wearables/signIn'
import { aboutAnswer } from '#http/idempotency'
import { versionOf } from '#kernel/keyring'
import type { Seal } from '#kernel/seal'
import { aboutCard, aboutCode } from '#office/incentives/reveal'
import { aboutHash } from '#office/incentives/vouchers/read'
import { aboutSecret } from '#office/webhooks/secret'
import type { Place, PlacedRow } from './store'

export type KeyedPlace = Place & {
  /** The version of the key with which the value was made; undefined if it was made without one. */
  version(row: PlacedRow): number | undefined
  /** The same value, made with the current key. @throws an `Error` if its key is not there, or it was altered */
  renewed(row: PlacedRow, seal: Seal): string | Uint8Array
}

const text = ({ value }: PlacedRow): string => (typeof value === 'string' ? value : '')

type Written = {
  /** The sealed text in a value; undefined if the value is not sealed. */
  read(value: string | Uint8Array): string | undefined
  write(sealed: string): string | Uint8Array
}
const asItIs: Written = { read: (value) => `${value}`, write: (sealed) => sealed }

/** @param about what the text is about, as whoever sealed it said */
function sealed(place: Place, about: (row: PlacedRow) => string, { read, write }: Written = asItIs): KeyedPlace {
  return {
    ...place,
    version(row) {
      const found = read(row.value)
      return found === undefined ? undefined : versionOf(found)
    },
    renewed(row, seal) {
      const found = read(row.value)
      return found === undefined ? row.value : write(seal.close(seal.open(found, about(row)), about(row)))
    },
  }
}

/** A password that waits to be hashed stands in the place of its hash. */
const waiting: Written = {
  read: (value) => (`${value}`.startsWith(SEALED) ? `${value}`.slice(SEALED.length) : undefined),
  write: (text) => SEALED + text,
}

/** Compressed answers; those without a secret are JSON. */
const compressed: Written = {
  read(value) {
    const answer =
      typeof value === 'string' || !value.length ? '{' : Buffer.from(Bun.zstdDecompressSync(value)).toString()
    return answer.startsWith('{') ? undefined : answer
  },
  write: (text) => Bun.zstdCompressSync(text, { level: 1 }),
}

const ofUser = { table: 'users', key: ['_id'] }
const ofWebhook = { table: 'webhooks', key: ['_id'] }
const account = ['participant', 'service']

export const keyedPlaces: readonly KeyedPlace[] = [
  sealed({ ...ofUser, column: 'totpSecret' }, ({ _id }) => totpSealContext(_id!)),
  sealed({ ...ofUser, column: 'totpPending' }, ({ _id }) => totpSealContext(_id!)),
  sealed({ ...ofWebhook, column: 'secret' }, ({ _id }) => aboutSecret(_id!)),
  sealed({ ...ofWebhook, column: 'previousSecret' }, ({ _id }) => aboutSecret(_id!)),
  sealed({ table: 'grants', column: 'secret', key: ['hash'], also: 'r.participant' }, ({ participant }) =>
    grantOf(participant!),
  ),
  sealed(
    { table: 'participants', column: 'passwordHash', key: ['_id'], where: `r.passwordHash GLOB '${SEALED}*'` },
    ({ _id }) => aboutPassword(_id!),
    waiting,
  ),
  sealed({ table: 'wearableConnections', column: 'tokens', key: account }, ({ participant, service }) =>
    aboutAccount(participant!, service!, 'tokens'),
  ),
  sealed({ table: 'wearableSignIns', column: 'secret', key: account }, ({ participant, service }) =>
    aboutAccount(participant!, service!, 'sign-in'),
  ),
  sealed({ table: 'incentives', column: 'secret', key: ['_id'] }, ({ _id }) => aboutCard(_id!)),
  sealed({ table: 'voucherCodes', column: 'secret', key: ['_id'] }, ({ _id }) => aboutCode(_id!)),
  {
    ...{ table: 'voucherCodes', column: 'hash', key: ['_id'], also: 'r.secret, t.team, b.code' },
    join: 'JOIN trials t ON t._id = r.trial JOIN incentiveBrands b ON b._id = r.brand',
    version: (row) => versionOf(text(row)),
    renewed({ _id, secret, team, code }, seal) {
      const card: { code: string } = JSON.parse(seal.open(secret!, aboutCode(_id!)))
      return seal.hash(aboutHash(team!, code!, card.code))
    },
  },
  sealed(
    { table: 'idempotencyKeys', column: 'answer', key: ['caller', 'key'], where: 'r.expiresAt IS NOT NULL' },
    ({ caller, key }) => aboutAnswer(caller!, key!),
    compressed,
  ),
]
