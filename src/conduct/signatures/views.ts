/** Signatures as the API returns them. A signature is valid only while everything that it covers is unchanged. */

import { layoutById, type ResponseRow, responseById, responsesOfParticipant } from '#conduct/responses/store'
import type { Db } from '#db/open'
import { type HiddenFieldTest, hasNoHiddenFields } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'
import { responseHash, signatureHash } from './content'
import {
  coveredBy,
  type SignatureRow,
  type SignedRow,
  signaturesOfParticipant,
  signaturesOn,
  signedRowsOf,
} from './store'

type CurrentHash = (response: Id) => string | undefined

type VisibilityTest = (response: Id) => boolean

const isAlwaysVisible: VisibilityTest = () => true

/**
 * Makes a function that returns whether the reader may see all fields of a response. Other readers do not get its hash: from
 * the other fields and the hash they could guess a short answer.
 */
function visibilityOf(db: Db, hidden: HiddenFieldTest): VisibilityTest {
  if (hasNoHiddenFields(hidden)) return isAlwaysVisible
  const known = new Map<Id, boolean>()
  return (_id) => {
    let isVisible = known.get(_id)
    if (isVisible === undefined) {
      const row = responseById(db, _id)
      known.set(_id, (isVisible = row !== undefined && !layoutById(db, row.layout).dataTypes.some(hidden)))
    }
    return isVisible
  }
}

/** The current hashes of responses, each computed on first use. */
function hashesOf(db: Db, rows: readonly ResponseRow[]): CurrentHash {
  const byId = new Map(rows.map((row) => [row._id, row]))
  const known = new Map<Id, string>()
  return (_id) => {
    let hash = known.get(_id)
    const row = byId.get(_id)
    if (hash === undefined && row) known.set(_id, (hash = responseHash(db, row)))
    return hash
  }
}

type ShownSignature = {
  row: SignatureRow
  /** The covered responses that are returned. */
  signed: readonly SignedRow[]
  /** All responses that the signature covers. */
  covered: readonly { response: Id }[]
  current: CurrentHash
  isVisible: VisibilityTest
  stands: boolean
}

function signatureView({ row, signed, covered, current, isVisible, stands }: ShownSignature) {
  const { _id, trial, participant, meaning, hash } = row
  const responses = signed.map(({ response, hash, endedAt }) => ({
    response,
    valid: endedAt === null && current(response) === hash,
    ...(isVisible(response) ? { hash } : {}),
  }))
  return {
    ...{ _id, trial, participant, meaning, responses },
    ...(covered.every(({ response }) => isVisible(response)) ? { hash } : {}),
    isCasebook: row.isCasebook,
    signer: { _id: row.user, name: row.userName },
    signedAt: row.createdAt,
    valid: stands && responses.every(({ valid }) => valid),
  }
}

/**
 * The signatures on responses, oldest first, each with those of the given responses that it covers.
 * @param hiddenIn which fields of a response are hidden from the reader
 */
export function signaturesOf<R extends ResponseRow>(
  db: Db,
  responses: readonly R[],
  hiddenIn: (response: R) => HiddenFieldTest,
) {
  const ids = responses.map(({ _id }) => _id)
  const rows = signaturesOn(db, ids)
  if (!rows.length) return []
  const current = hashesOf(db, responses)
  const byId = new Map(responses.map((response) => [response._id, response]))
  const signedBySignature = Map.groupBy(signedRowsOf(db, ids), ({ signature }) => signature)
  return rows.map(({ stands, ...row }) => {
    const signed = signedBySignature.get(row._id)!
    const isVisible = visibilityOf(db, hiddenIn(byId.get(signed[0]!.response)!))
    const all = isVisible === isAlwaysVisible ? signed : coveredBy(db, row._id)
    return signatureView({ row, signed, covered: all, current, isVisible, stands })
  })
}

/** All signatures on a participant's responses, each with all that it covers and with its own hash checked. */
export function signaturesIn(db: Db, participant: Id, hidden: HiddenFieldTest) {
  const current = hashesOf(db, responsesOfParticipant(db, participant))
  const isVisible = visibilityOf(db, hidden)
  return signaturesOfParticipant(db, participant).map((row) => {
    const signed = coveredBy(db, row._id)
    const parts = signed.map(({ response, hash }) => ({ _id: response, hash }))
    return signatureView({
      row,
      signed,
      covered: signed,
      current,
      isVisible,
      stands: signatureHash(row, parts) === row.hash,
    })
  })
}
