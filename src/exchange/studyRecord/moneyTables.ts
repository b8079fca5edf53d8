/** The tables of a study record about money: the journal of the wallet, and what participants got. No table holds a code. */
import { facet } from '#conduct/participants/rules'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { incentivesAfter } from '#office/incentives/store'
import { incentiveView } from '#office/incentives/views'
import { decimalText } from '#office/incentives/wallet/money'
import { countOf } from '#office/incentives/wallet/store'
import { JOURNAL, journalPages } from '#office/incentives/wallet/views'
import type { Cell, Sheet } from '#writers/cell'
import { sheet } from '#writers/cell'

const INCENTIVES = [
  ...['participantId', '_id', 'createdAt', 'createdBy', 'brand', 'brandName', 'amount', 'currency', 'status'],
  ...['issuedAt', 'revealedAt', 'expiresOn', 'rule', 'stage', 'stageRecurrence', 'detail'],
]

const moment = (at: Instant | null): Cell => (at === null ? null : { at })

/** What the participants got who are not archived, oldest first. */
function* incentiveRows(db: Db, trial: Id): Generator<Cell[]> {
  for (let page = incentivesAfter(db, trial, ''); page.length; page = incentivesAfter(db, trial, page.at(-1)!._id)) {
    for (const row of page) {
      const { id, facets } = rowById(db, participants, row.participant)!
      if (facets & facet.archived) continue
      const { brand, brandName } = incentiveView(db, row)
      yield [
        ...[id, row._id, { at: row.createdAt }, row.createdBy, brand, brandName, decimalText(row.amount, row.currency)],
        ...[row.currency, row.status, moment(row.issuedAt), moment(row.revealedAt), row.expiresOn, row.rule, row.stage],
        ...[row.stageRecurrence, row.detail],
      ]
    }
  }
}

function* journalRows(db: Db, trial: Id): Generator<Cell[]> {
  for (const page of journalPages(db, trial)) yield* page
}

/** The tables that have any row. */
export const moneyTables = (db: Db, trial: Id): Sheet[] => [
  ...(countOf(db, trial) ? [sheet('wallet', JOURNAL, journalRows(db, trial))] : []),
  ...(incentivesAfter(db, trial, '').length ? [sheet('incentives', INCENTIVES, incentiveRows(db, trial))] : []),
]
