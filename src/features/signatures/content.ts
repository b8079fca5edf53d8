/** What exactly is signed, and its SHA-256 (decisions 7). The same content always gives the same text. */
import type { Db } from '../../db/open'
import { type Id, sha256 } from '../../kernel/id'
import { instantText } from '../../kernel/time'
import { stampAt } from '../responses/layout'
import { layoutById, type ResponseRow, stampsOf, valuesOf } from '../responses/queries'
import type { SignatureRow } from './queries'

/** JSON with the keys of every object in order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}

/**
 * The hash of a response as it stands: every value with the submission it came from, so that a value changed and changed
 * back is not what was signed.
 */
export function responseHash(db: Db, row: ResponseRow): string {
  const { dataTypes } = layoutById(db, row.layout)
  const stamps = stampsOf(row)
  const fields: Record<Id, unknown> = {}
  for (const [at, value] of valuesOf(row).entries()) {
    const submission = stampAt(stamps, at)
    if (submission !== null) fields[dataTypes[at]!] = { value, submission }
  }
  const { _id, trial, stage, stageRecurrence, participant, score, status } = row
  const createdAt = instantText(row.createdAt)
  const partialSubmission = row.partialSubmission === 1
  const content = {
    _id,
    trial,
    stage,
    stageRecurrence,
    participant,
    createdAt,
    score,
    status,
    partialSubmission,
    fields,
  }
  return sha256(canonical(content))
}

/** The hash of a signature: who signed, when, meaning what, and the hash of every response. */
export const signatureHash = (row: Omit<SignatureRow, 'hash'>, signed: readonly { _id: Id; hash: string }[]): string =>
  sha256(
    canonical({
      _id: row._id,
      trial: row.trial,
      participant: row.participant,
      isCasebook: row.isCasebook === 1,
      meaning: row.meaning,
      signer: { _id: row.user, name: row.userName },
      signedAt: instantText(row.createdAt),
      responses: Object.fromEntries(signed.map(({ _id, hash }) => [_id, hash])),
    }),
  )
