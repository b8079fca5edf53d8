/** Signatures as they are read: valid only while everything they cover is as it was signed. */
import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'
import { layoutById, type ResponseRow, responseById, responsesOfParticipant } from '../responses/queries'
import { type Hidden, hidesNothing } from '../responses/read'
import { responseHash, signatureHash } from './content'
import { type SignatureRow, type SignedRow, signaturesOfParticipant, signaturesOn, signedBy, signedOf } from './queries'

type Current = (response: Id) => string | undefined

/** Whether a reader sees all that these responses are made of: from the rest and a hash a short answer could be guessed. */
const seesAll = (db: Db, hidden: Hidden, responses: readonly Id[]): boolean =>
  hidesNothing(hidden) ||
  responses.every((_id) => {
    const row = responseById(db, _id)
    return row !== undefined && !layoutById(db, row.layout).dataTypes.some(hidden)
  })

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

type Shown = {
  db: Db
  row: SignatureRow
  signed: readonly SignedRow[]
  current: Current
  hidden: Hidden
  stands: boolean
}

/** @param shown.signed what of the signature is told; its hash is of all that it covers */
function shown({ db, row, signed, current, hidden, stands }: Shown) {
  const { _id, trial, participant, meaning, hash } = row
  const responses = signed.map(({ response, hash, endedAt }) => ({
    response,
    valid: endedAt === null && current(response) === hash,
    ...(seesAll(db, hidden, [response]) ? { hash } : {}),
  }))
  const all = hidesNothing(hidden) ? [] : signedBy(db, _id).map(({ response }) => response)
  return {
    ...{ _id, trial, participant, meaning, responses },
    ...(seesAll(db, hidden, all) ? { hash } : {}),
    isCasebook: row.isCasebook === 1,
    signer: { _id: row.user, name: row.userName },
    signedAt: row.createdAt,
    valid: stands && responses.every(({ valid }) => valid),
  }
}

/**
 * The signatures on responses, oldest first, each with those of the responses that it covers.
 * @param hiddenIn which fields of a response the reader does not see
 */
export function signaturesOf<R extends ResponseRow>(
  db: Db,
  responses: readonly R[],
  hiddenIn: (response: R) => Hidden,
) {
  const ids = responses.map(({ _id }) => _id)
  const rows = signaturesOn(db, ids)
  if (!rows.length) return []
  const current = hashesOf(db, responses)
  const byId = new Map(responses.map((response) => [response._id, response]))
  const covered = Map.groupBy(signedOf(db, ids), ({ signature }) => signature)
  return rows.map(({ stands, ...row }) => {
    const signed = covered.get(row._id)!
    const hidden = hiddenIn(byId.get(signed[0]!.response)!)
    return shown({ db, row, signed, current, hidden, stands: stands === 1 })
  })
}

/** Every signature on a participant's responses, with all it covers, and checked as a whole. */
export function signaturesIn(db: Db, participant: Id, hidden: Hidden) {
  const current = hashesOf(db, responsesOfParticipant(db, participant))
  return signaturesOfParticipant(db, participant).map((row) => {
    const signed = signedBy(db, row._id)
    const parts = signed.map(({ response, hash }) => ({ _id: response, hash }))
    return shown({ db, row, signed, current, hidden, stands: signatureHash(row, parts) === row.hash })
  })
}
