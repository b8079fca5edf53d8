/** The form that follows a consent, and the responses to it. */
import type { Db } from '#db/open'
import { insert, rowById, rowsWhere, rowWhere, updateWhere } from '#db/rows'
import { responseEvents, responses, screenedResponses, screenings } from '#db/tables/index'
import { type Id, sha256 } from '#kernel/id'
import type { Hasher, Seal } from '#kernel/seal'
import { DAY, type Instant } from '#kernel/time'
import type { ConsentRow } from './consentStore'

export type ScreeningRow = typeof screenings.$inferSelect

/** How long the link works. */
const LIFETIME = 7 * DAY

/** The token of the link. It follows from the secret of the server, so that a page that is loaded again gets the same. */
const tokenOf = (seal: Hasher, consent: Id): string => seal.hash(`screening ${consent}`)

/** The link of a consent to a form, which the first call makes. Returns its token. */
export function screeningToken(
  db: Db,
  seal: Pick<Seal, 'hash' | 'keys'>,
  { _id: consent, trial }: Pick<ConsentRow, '_id' | 'trial'>,
  stage: Id,
  now: Instant,
): string {
  const row = rowWhere(db, screenings, { consent })
  if (row) return existingToken(seal, row)
  const token = tokenOf(seal, consent)
  insert(db, screenings, {
    ...{ consent, createdAt: now, trial, stage, hash: sha256(token), expiresAt: now + LIFETIME },
    response: null,
  })
  return token
}

/** The token of a link that was made before: with the key that was current then. */
const existingToken = (seal: Pick<Seal, 'hash' | 'keys'>, { consent, hash }: ScreeningRow): string =>
  seal.keys.map((key) => tokenOf(key, consent)).find((token) => sha256(token) === hash) ?? tokenOf(seal, consent)

/** The token of a link that was made before; undefined if there is none, or it has ended. */
export function screeningTokenOf(
  db: Db,
  seal: Pick<Seal, 'hash' | 'keys'>,
  consent: Id,
  now: Instant,
): string | undefined {
  const row = rowWhere(db, screenings, { consent })
  return row && row.expiresAt > now ? existingToken(seal, row) : undefined
}

export const screeningByToken = (db: Db, token: string): ScreeningRow | undefined =>
  rowWhere(db, screenings, { hash: sha256(token) })

export const screeningOfConsent = (db: Db, consent: Id): ScreeningRow | undefined =>
  rowWhere(db, screenings, { consent })

export function saveScreeningResponse(db: Db, trial: Id, consent: Id, response: Id): void {
  updateWhere(db, screenings, { consent }, { response })
  insert(db, screenedResponses, { response, trial, consent })
}

/** The response that came by the link of a consent, as long as it has no participant. */
export function unboundScreeningResponse(db: Db, consent: Id): Id[] {
  const response = screeningOfConsent(db, consent)?.response
  return response && rowById(db, responses, response)?.participant === null ? [response] : []
}

/** All responses that came by the link of a consent, except those that have a participant or had one when they were deleted. */
export const unassignedScreeningResponses = (db: Db, consent: Id): Id[] =>
  rowsWhere(db, screenedResponses, { consent }, 'response')
    .map(({ response }) => response)
    .filter((response) => {
      const row = rowById(db, responses, response) ?? rowWhere(db, responseEvents, { response, type: 'deleted' })
      return row?.participant === null
    })

/** The responses of a participant to the form that followed their consent. */
export const screeningResponsesOf = (db: Db, participant: Id, stage: Id): Id[] =>
  db.$client
    .query<{ _id: Id }, [{ participant: Id; stage: Id }]>(
      'SELECT _id FROM responses WHERE participant = +$participant AND stage = +$stage ORDER BY stageRecurrence LIMIT 1000',
    )
    .all({ participant, stage })
    .map(({ _id }) => _id)
