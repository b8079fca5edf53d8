/**
 * The links to meetings: each person has one of their own. It holds a keyed hash in place of a stored secret, and is valid as
 * long as the meeting and the person's part in it are, around the time of the meeting.
 */
import { timingSafeEqual } from 'node:crypto'
import { type Id, isId } from '#kernel/id'
import type { Hasher, Seal } from '#kernel/seal'

/** Whose link it is: the participant's or that of a member of staff. */
export type LinkOwner = { kind: 'participant' | 'staff'; _id: Id }

const hashOf = (seal: Hasher, meeting: Id, { kind, _id }: LinkOwner) => seal.hash(`meeting ${meeting} ${kind} ${_id}`)

const LETTERS = { participant: 'p', staff: 's' } as const

/** @param origin the beginning of the link, without a slash at the end */
export const joinUrl = (seal: Hasher, origin: string, meeting: Id, owner: LinkOwner): string =>
  `${origin}/app/meeting/${meeting}${LETTERS[owner.kind]}${owner._id}${hashOf(seal, meeting, owner)}`

/** The meeting and the owner of the token at the end of a link; undefined if the service did not make it. */
export function readJoinToken(seal: Seal, token: string): { meeting: Id; owner: LinkOwner } | undefined {
  const [meeting, letter, _id] = [token.slice(0, 24), token[24], token.slice(25, 49)]
  const kind = letter === LETTERS.participant ? 'participant' : letter === LETTERS.staff ? 'staff' : undefined
  if (!kind || !isId(meeting) || !isId(_id)) return undefined
  const owner = { kind, _id } as const
  const hash = token.slice(49)
  const key = seal.keyOf(hash)
  if (!key) return undefined
  const [given, right] = [Buffer.from(hash), Buffer.from(hashOf(key, meeting, owner))]
  return given.length === right.length && timingSafeEqual(given, right) ? { meeting, owner } : undefined
}
