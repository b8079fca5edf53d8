/** Signing responses. */
import { type Access, holds, type Places, type Staff } from '#access/caller'
import { appendEvent, staffAuthor } from '#conduct/responses/events'
import type { ResponseRow } from '#conduct/responses/store'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { ValueOf } from '#wire/schema'
import { responseHash, signatureHash } from './content'
import type { NewSignature } from './model'
import { insertSignature } from './store'

const SIGNERS = ['signStudyData'] as const
const WRITERS = ['writeParticipantStudyData'] as const

/**
 * The responses to sign, each once: all of the participant's, or the named ones.
 * @throws 400 if there are none, 404 for an unknown one
 */
export function responsesToSign(
  rows: readonly ResponseRow[],
  named: readonly Id[] | undefined,
): readonly ResponseRow[] {
  if (!named) {
    if (!rows.length) throw refuse.bad('nothingToSign')
    return rows
  }
  const known = new Set(rows.map(({ _id }) => _id))
  if (named.some((_id) => !known.has(_id))) throw refuse.missing('response of the participant')
  const wanted = new Set(named)
  return rows.filter(({ _id }) => wanted.has(_id))
}

/**
 * Refuses (403) people who may not sign for a participant of these places. In a trial without `signersOnly`, people who write study data
 * may sign, too.
 */
export function requireSigner(trial: Pick<Trial, 'settings'>, access: Access, places: Places): void {
  const keys = settingsOf(trial).signersOnly ? SIGNERS : [...SIGNERS, ...WRITERS]
  if (!keys.some((key) => holds(access, key, places))) throw refuse.missingPermission(keys.map((key) => `trial.${key}`))
}

/** Refuses (400) to sign if the trial does not use signatures, or not with this meaning. */
export function requireMeaning(trial: Pick<Trial, 'settings'>, meaning: string): void {
  const { responseSigningEnabled, signatureMeanings } = settingsOf(trial)
  if (!responseSigningEnabled) throw refuse.bad('signingOff')
  if (signatureMeanings.length && !signatureMeanings.includes(meaning)) {
    throw refuse.bad('otherMeaning', { meanings: signatureMeanings }, { signatureMeanings })
  }
}

type SigningContext = Pick<RequestContext<Staff>, 'db' | 'now' | 'id' | 'caller'> & {
  trial: { _id: Id }
  body: ValueOf<typeof NewSignature>
}

/** Signs responses of a participant. Returns the `_id` of the signature and its audit event. */
export function signResponses(
  { db, now, id, caller, trial, body }: SigningContext,
  participant: Id,
  rows: readonly ResponseRow[],
) {
  const responses = rows.map((row) => ({ _id: row._id, hash: responseHash(db, row) }))
  const content = {
    _id: id(),
    createdAt: now,
    trial: trial._id,
    participant,
    isCasebook: !body.responses,
    meaning: body.meaning,
    user: caller.user._id,
    userName: caller.user.name,
  }
  const hash = signatureHash(content, responses)
  insertSignature(db, { ...content, hash }, responses)
  const signedContent = { signature: content._id, meaning: body.meaning, hash }
  for (const row of rows) appendEvent(db, row, 'signed', staffAuthor(caller.user), now, signedContent)
  return { _id: content._id, event: { ...signedContent, isCasebook: content.isCasebook, responses } }
}
