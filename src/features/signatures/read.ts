/** Signatures as they are read: valid only while everything they cover is as it was signed. */
import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'
import { type ResponseRow, responsesOfParticipant } from '../responses/queries'
import { responseHash, signatureHash } from './content'
import { type SignatureRow, type SignedRow, signaturesOfParticipant, signaturesOn, signedBy, signedOf } from './queries'

type Current = (response: Id) => string | undefined

/** The hashes of responses as they are now, each worked out when first asked for. */
function hashesOf(db: Db, rows: readonly ResponseRow[]): Current {
  const byId = new Map(rows.map((row) => [row._id, row]))
  const known = new Map<Id, string>()
  return (_id) => {
    let hash = known.get(_id)
    const row = byId.get(_id)
    if (hash === undefined && row) known.set(_id, (hash = responseHash(db, row)))
    return hash
  }
}

const shown = (row: SignatureRow, signed: readonly SignedRow[], current: Current, stands: boolean) => {
  const { _id, trial, participant, meaning, hash } = row
  const responses = signed.map(({ response, hash, endedAt }) => ({
    response,
    hash,
    valid: endedAt === null && current(response) === hash,
  }))
  return {
    ...{ _id, trial, participant, meaning, hash, responses },
    isCasebook: row.isCasebook === 1,
    signer: { _id: row.user, name: row.userName },
    signedAt: row.createdAt,
    valid: stands && responses.every(({ valid }) => valid),
  }
}

/** The signatures on responses, oldest first, each with those of the responses that it covers. */
export function signaturesOf(db: Db, responses: readonly ResponseRow[]) {
  const ids = responses.map(({ _id }) => _id)
  const rows = signaturesOn(db, ids)
  if (!rows.length) return []
  const current = hashesOf(db, responses)
  const signed = Map.groupBy(signedOf(db, ids), ({ signature }) => signature)
  return rows.map(({ stands, ...row }) => shown(row, signed.get(row._id)!, current, stands === 1))
}

/** Every signature on a participant's responses, with all it covers, and checked as a whole. */
export function signaturesIn(db: Db, participant: Id) {
  const current = hashesOf(db, responsesOfParticipant(db, participant))
  return signaturesOfParticipant(db, participant).map((row) => {
    const signed = signedBy(db, row._id)
    const parts = signed.map(({ response, hash }) => ({ _id: response, hash }))
    return shown(row, signed, current, signatureHash(row, parts) === row.hash)
  })
}
