/** Shows the code of an incentive (docs/incentives.md, "Codes stay secret"). */
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { incentives } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import type { Seal } from '#kernel/seal'
import type { Instant } from '#kernel/time'
import { codeOf } from '#office/incentives/brands/store'
import type { GiftCard } from './model'
import { changeIncentive, type IncentiveRow } from './store'

/** What a sealed code or card is about, for `seal`. */
export const codeLabel = (code: Id): string => `voucher code ${code}`
export const cardLabel = (incentive: Id): string => `gift card ${incentive}`

/** The incentive of a participant; 404 unless it is theirs. */
export function incentiveOf(db: Db, participant: Id, _id: Id): IncentiveRow {
  const row = rowById(db, incentives, _id)
  return found(row?.participant === participant ? row : undefined, 'incentive')
}

function sealedText(db: Db, seal: Seal, { _id, secret }: IncentiveRow): string {
  if (secret !== null) return seal.open(secret, cardLabel(_id))
  const code = codeOf(db, _id)
  if (!code) throw refuse.bad('incentiveErased')
  return seal.open(code.secret, codeLabel(code._id))
}

/** The card of an issued incentive, and notes when it was first shown. @throws 400 if there is no card to show */
export function reveal(
  { db, now, services }: { db: Db; now: Instant; services: { seal: Seal } },
  row: IncentiveRow,
): GiftCard {
  if (row.status === 'reversed') throw refuse.bad('incentiveReversed')
  if (row.status !== 'issued') throw refuse.bad('incentiveWithoutCode', undefined, { status: row.status })
  const { code, pin, url }: Omit<GiftCard, 'expiresOn'> = JSON.parse(sealedText(db, services.seal, row))
  if (row.revealedAt === null) changeIncentive(db, row._id, { revealedAt: now })
  return { code, pin, url, expiresOn: row.expiresOn }
}
