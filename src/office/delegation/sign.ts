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
    if (user !== row.user) throw refuse.forbidden(`Only ${row.userName} signs this entry as the person.`)
    return
  }
  const investigator = investigatorOn(db, row.site, today)
  if (!investigator) throw refuse.bad('The site has no principal investigator who has signed their own entry.')
  if (user !== investigator.user)
    throw refuse.forbidden(
      `Only the principal investigator of the site, ${investigator.userName}, delegates its tasks.`,
    )
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
  if (!requiredSignatures(row).includes(as))
    throw refuse.bad('The entry of a principal investigator is signed by themselves only.')
  requireSigner(db, row, as, user, today)
  const signed = signaturesOn(db, row._id).map(({ signedAs }) => signedAs)
  if (signed.includes(as)) throw refuse.bad('This signature was given already.')
  if (row.endsOn !== null && row.endsOn < today) throw refuse.bad('The entry is over: make a new one.')
  if (as === 'investigator' && !signed.includes('person'))
    throw refuse.bad(`${row.userName} has not signed yet: the person signs first.`)
  const content = { delegation: row._id, signedAs: as, trial: row.trial, user, userName, signedAt: now }
  return insertSignature(db, { ...content, hash: signatureHash(row, content) })
}
