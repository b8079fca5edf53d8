/** Who is asked to approve a file. */
import { holds } from '#access/caller'
import { allUsers, type UserRow, userByEmail } from '#accounts/users/store'
import { parseEmail } from '#conduct/contactCodes/addresses'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { placesOf } from '#office/files/rules'
import type { FileContext } from '#office/files/scope'
import type { FileRow } from '#office/files/store'
import type { ApproverInput } from './model'
import { readerAccess } from './scope'

/** A person who is asked. `user`, `name` and `language` are null for somebody without an account. */
export type RequestedApprover = {
  user: Id | null
  email: string
  name: string | null
  language: string | null
  role: string | null
}

/** An address as it is compared. */
const mailbox = (address: string): string => parseEmail(address) ?? address.toLowerCase()

/** The account with this mailbox, however the address of the account is written; one that is written the same comes first. */
const accountOf = (db: Db, written: string, email: string): UserRow | undefined =>
  userByEmail(db, written) ?? allUsers(db).find((each) => mailbox(each.email) === email)

/** Finds the account of an approver who can read the file; an address without one stands for itself. */
function findApprover(
  db: Db,
  file: FileRow,
  { id = null, email: written, role = null }: ApproverInput,
): RequestedApprover {
  // One mailbox is one approver, however its address is written: else a person could review by a second link what they ask for.
  const email = written === undefined ? undefined : parseEmail(written)
  if (written !== undefined && email === undefined) throw refuse.bad('approverEmail')
  const named = written !== undefined && email !== undefined ? accountOf(db, written.trim(), email) : undefined
  const account = id !== null ? rowById(db, users, id) : named
  const isReader = account && readerAccess(db, account._id, file)
  if (id !== null) {
    if (!account || !isReader) throw refuse.bad('approverCannotRead', undefined, { approver: id })
    if (email !== undefined && email !== mailbox(account.email))
      throw refuse.bad('approverOtherEmail', undefined, { approver: id })
  }
  if (account && isReader) {
    const { _id: user, name, language } = account
    return { user, email: account.email, name, language, role }
  }
  if (email === undefined) throw refuse.bad('approverUnnamed')
  return { user: null, email, name: null, language: null, role }
}

/**
 * The people of a request. Refuses (400) accounts that cannot read the file, a person who is named twice, and the caller: nobody
 * reviews what they ask for themselves.
 */
export function findApprovers(
  { db, caller }: FileContext,
  file: FileRow,
  approvers: readonly ApproverInput[],
): RequestedApprover[] {
  const requested = approvers.map((each) => findApprover(db, file, each))
  const addresses = requested.map(({ email }) => mailbox(email))
  if (new Set(addresses).size < addresses.length) throw refuse.bad('approverTwice')
  const isSelf = ({ user, email }: RequestedApprover) =>
    user === caller.user._id || mailbox(email) === mailbox(caller.user.email)
  if (requested.some(isSelf)) throw refuse.bad('approverOneself')
  return requested
}

/** Whether a person holds approveFiles where the file is. */
export function mayApprove(db: Db, user: Id | null, file: FileRow): boolean {
  const access = user === null ? undefined : readerAccess(db, user, file)
  return access !== undefined && holds(access, 'approveFiles', placesOf(file.site))
}

/** The name of who asks, as an approver reads it. */
export const nameOf = (db: Db, user: Id): string => rowById(db, users, user)?.name ?? ''
