/**
 * Every column of the database that holds something made with a key of the server which can be made anew with another key
 * (docs/security.md, "Keys of the server"). A test finds what seals and is not named here.
 */
import { totpSealContext } from '#accounts/users/totp'
import { grantSealContext } from '#conduct/participants/grantStore'
import { passwordSealContext, SEALED_PREFIX } from '#conduct/participants/pendingPasswords'
import { accountSealContext } from '#conduct/wearables/signIn'
import { aboutAnswer } from '#http/idempotency'
import { versionOf } from '#kernel/keyring'
import type { Seal } from '#kernel/seal'
import { cardLabel, codeLabel } from '#office/incentives/reveal'
import { hashInput } from '#office/incentives/vouchers/read'
import { secretLabel } from '#office/webhooks/secret'
import type { SecretColumn, SecretRow } from './store'

export type KeyedColumn = SecretColumn & {
  /** The version of the key with which the value was made; undefined if it was made without one. */
  version(row: SecretRow): number | undefined
  /** The same value, made with the current key. @throws an `Error` if its key is not there, or it was altered */
  renew(row: SecretRow, seal: Seal): string | Uint8Array
}

const text = ({ value }: SecretRow): string => (typeof value === 'string' ? value : '')

type ValueFormat = {
  /** The sealed text in a value; undefined if the value is not sealed. */
  read(value: string | Uint8Array): string | undefined
  write(sealed: string): string | Uint8Array
}
const plainFormat: ValueFormat = { read: (value) => `${value}`, write: (sealed) => sealed }

/** @param about the context that was given when the text was sealed */
function sealedColumn(
  place: SecretColumn,
  about: (row: SecretRow) => string,
  { read, write }: ValueFormat = plainFormat,
): KeyedColumn {
  return {
    ...place,
    version(row) {
      const found = read(row.value)
      return found === undefined ? undefined : versionOf(found)
    },
    renew(row, seal) {
      const found = read(row.value)
      return found === undefined ? row.value : write(seal.close(seal.open(found, about(row)), about(row)))
    },
  }
}

/** A password that waits to be hashed stands in the place of its hash. */
const waitingPasswordFormat: ValueFormat = {
  read: (value) => (`${value}`.startsWith(SEALED_PREFIX) ? `${value}`.slice(SEALED_PREFIX.length) : undefined),
  write: (text) => SEALED_PREFIX + text,
}

/** Compressed answers; those without a secret are JSON. */
const compressedFormat: ValueFormat = {
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

export const keyedColumns: readonly KeyedColumn[] = [
  sealedColumn({ ...ofUser, column: 'totpSecret' }, ({ _id }) => totpSealContext(_id!)),
  sealedColumn({ ...ofUser, column: 'totpPending' }, ({ _id }) => totpSealContext(_id!)),
  sealedColumn({ ...ofWebhook, column: 'secret' }, ({ _id }) => secretLabel(_id!)),
  sealedColumn({ ...ofWebhook, column: 'previousSecret' }, ({ _id }) => secretLabel(_id!)),
  sealedColumn({ table: 'grants', column: 'secret', key: ['hash'], also: 'r.participant' }, ({ participant }) =>
    grantSealContext(participant!),
  ),
  sealedColumn(
    { table: 'participants', column: 'passwordHash', key: ['_id'], where: `r.passwordHash GLOB '${SEALED_PREFIX}*'` },
    ({ _id }) => passwordSealContext(_id!),
    waitingPasswordFormat,
  ),
  sealedColumn({ table: 'wearableConnections', column: 'tokens', key: account }, ({ participant, service }) =>
    accountSealContext(participant!, service!, 'tokens'),
  ),
  sealedColumn({ table: 'wearableSignIns', column: 'secret', key: account }, ({ participant, service }) =>
    accountSealContext(participant!, service!, 'sign-in'),
  ),
  sealedColumn({ table: 'incentives', column: 'secret', key: ['_id'] }, ({ _id }) => cardLabel(_id!)),
  sealedColumn({ table: 'voucherCodes', column: 'secret', key: ['_id'] }, ({ _id }) => codeLabel(_id!)),
  {
    ...{ table: 'voucherCodes', column: 'hash', key: ['_id'], also: 'r.secret, t.team, b.code' },
    join: 'JOIN trials t ON t._id = r.trial JOIN incentiveBrands b ON b._id = r.brand',
    version: (row) => versionOf(text(row)),
    renew({ _id, secret, team, code }, seal) {
      const card: { code: string } = JSON.parse(seal.open(secret!, codeLabel(_id!)))
      return seal.hash(hashInput(team!, code!, card.code))
    },
  },
  sealedColumn(
    { table: 'idempotencyKeys', column: 'answer', key: ['caller', 'key'], where: 'r.expiresAt IS NOT NULL' },
    ({ caller, key }) => aboutAnswer(caller!, key!),
    compressedFormat,
  ),
]
