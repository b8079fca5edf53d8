/**
 * The signed content and its SHA-256 (docs/review.md, "The hash of a signature"). The same content always gives the same
 * text.
 */

import { sourceSubmissionAt } from '#conduct/responses/layout'
import { entriesIn } from '#conduct/responses/sourceVerification'
import { layoutById, type ResponseRow, sourceSubmissionsOf, valuesOf } from '#conduct/responses/store'
import type { Db } from '#db/open'
import { type Id, sha256 } from '#kernel/id'
import { instantText } from '#kernel/time'
import type { SignatureRow } from './store'

/** JSON with the keys of every object in order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}

/**
 * The hash of a response as it is now. It covers every answer with the submission that it comes from, so that a value that was
 * changed and changed back is not what was signed. A blank counts if it replaced an answer, as in the history: anyone who may
 * read all of it can compute the hash from it (docs/review.md, "The hash of a signature").
 */
export function responseHash(db: Db, row: ResponseRow): string {
  const { positions } = layoutById(db, row.layout)
  const [sources, values] = [sourceSubmissionsOf(row), valuesOf(row)]
  const fields: Record<Id, unknown> = {}
  for (const dataType of entriesIn(db, row)) {
    const at = positions.get(dataType)!
    fields[dataType] = { value: values[at], submission: sourceSubmissionAt(sources, at) }
  }
  const { _id, trial, stage, stageRecurrence, participant, score, status, partialSubmission } = row
  const createdAt = instantText(row.createdAt)
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

/** The hash of a signature: signer, time, meaning, and the hash of every response. */
export const signatureHash = (row: Omit<SignatureRow, 'hash'>, signed: readonly { _id: Id; hash: string }[]): string =>
  sha256(
    canonical({
      _id: row._id,
      trial: row.trial,
      participant: row.participant,
      isCasebook: row.isCasebook,
      meaning: row.meaning,
      signer: { _id: row.user, name: row.userName },
      signedAt: instantText(row.createdAt),
      responses: Object.fromEntries(signed.map(({ _id, hash }) => [_id, hash])),
    }),
  )
