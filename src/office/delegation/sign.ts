/** Signatures on a delegation log. */

import type { Staff } from '#access/caller'
import { canonical } from '#conduct/signatures/content'
import type { Db } from '#db/open'
import type { RequestContext } from '#http/operation'
import { sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { requiredSignatures } from './rules'
import { type DelegationRow, insertSignature, investigatorOn, type SignatureRow, signaturesOn } from './store'

/** The hash of a signature: of all that the person and the investigator agreed to, of the signer and the time. */
export function signatureHash(row: DelegationRow, { signedAs, user, userName, signedAt }: Omit<SignatureRow, 'hash'>) {
  const { _id, trial, site, role, tasks, otherTasks, startsOn } = row
  const person = { _id: row.user, name: row.userName }
  const entry = { _id, trial, site, person, role, tasks, otherTasks, startsOn }
  return sha256(canonical({ entry, signedAs, signer: { _id: user, name: userName }, signedAt: instantText(signedAt) }))
}

/** Refuses (403) to sign as somebody else. */
function requireSigner(db: Db, row: DelegationRow, as: SignatureRow['signedAs'], user: string, today: string): void {
  if (as === 'person') {
    if (user !== row.user) throw refuse.forbidden('signedByPersonOnly', { person: row.userName })
    return
  }
  const investigator = investigatorOn(db, row.site, today)
  if (!investigator) throw refuse.bad('noInvestigator')
  if (user !== investigator.user)
    throw refuse.forbidden('signedByInvestigatorOnly', { investigator: investigator.userName })
}

type SigningContext = Pick<RequestContext<Staff>, 'db' | 'now' | 'caller'>

/**
 * Signs an entry.
 * @throws 403 for anybody else than the person or the investigator; 400 if it is signed, over, or to be signed by the person first
 */
export function addSignature(
  { db, now, caller }: SigningContext,
  row: DelegationRow,
  as: SignatureRow['signedAs'],
  today: string,
) {
  const { _id: user, name: userName } = caller.user
  if (!requiredSignatures(row).includes(as)) throw refuse.bad('investigatorSignsAlone')
  requireSigner(db, row, as, user, today)
  const signed = signaturesOn(db, row._id).map(({ signedAs }) => signedAs)
  if (signed.includes(as)) throw refuse.bad('signatureGiven')
  if (row.endsOn !== null && row.endsOn < today) throw refuse.bad('delegationOver')
  if (as === 'investigator' && !signed.includes('person'))
    throw refuse.bad('personSignsFirst', { person: row.userName })
  const content = { delegation: row._id, signedAs: as, trial: row.trial, user, userName, signedAt: now }
  return insertSignature(db, { ...content, hash: signatureHash(row, content) })
}
