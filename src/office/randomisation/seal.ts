/** Seals a draft: makes its lists and the commitment to them (docs/randomisation.md, "The commitment"). */
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import type { Trial } from '#design/trials/store'
import { type Id, newSecret } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { commitmentTo, documentOf } from '#office/allocationMethods/document'
import { listOf, strataOf, stratumOf } from '#office/allocationMethods/lists'
import { checkDraft, listsIn } from './check'
import { levelsOfFactors } from './factors'
import {
  type ArmRow,
  armsOf,
  insertList,
  type ListRow,
  listAt,
  listsOf,
  type RandomisationRow,
  updateRandomisation,
} from './store'

/** The most allocations in all lists together, when they are made. */
const MAX_ALLOCATIONS = 500_000

const parametersOf = (row: RandomisationRow, arms: readonly ArmRow[]) => ({
  ...row,
  ratios: arms.map(({ ratio }) => ratio),
})

/** The lists of a draft: those of the csv, or those that its seed makes, one for each stratum that there can be now. */
function listsFor(db: Db, trial: Trial, row: RandomisationRow, arms: readonly ArmRow[], seed: string | null) {
  if (row.method === 'minimisation') return []
  if (seed === null) return listsIn(db, trial, { ...row, arms }, row.list!)
  const levels = levelsOfFactors(db, configuration(db, trial), row).map((own) => own.map(({ level }) => level))
  const count = levels.reduce((product, own) => product * own.length, row.listLength)
  if (count > MAX_ALLOCATIONS) {
    throw refuse.bad('tooManyAllocations', { count, most: MAX_ALLOCATIONS })
  }
  const parameters = parametersOf(row, arms)
  return strataOf(levels).map((own) => {
    const stratum = stratumOf(own)
    return { stratum, arms: listOf(parameters, seed, stratum) }
  })
}

/** The document of a sealed randomisation, whose SHA-256 is its commitment. */
const documentFor = (
  row: Omit<RandomisationRow, 'nonce'> & { nonce: string },
  arms: readonly ArmRow[],
  lists: readonly Pick<ListRow, 'stratum' | 'arms'>[],
): string => documentOf({ ...row, arms, lists })

/**
 * Seals a draft, and returns it with its commitment.
 * @throws 400 if it is sealed already or its list is missing, and what `checkDraft` refuses
 */
export function seal(db: Db, trial: Trial, row: RandomisationRow, by: { user: Id; now: Instant }): RandomisationRow {
  if (row.status !== 'draft') throw refuse.bad('randomisationSealedAlready', { name: row.name })
  if (row.method === 'list' && row.list === null) throw refuse.bad('listMissing')
  const arms = armsOf(db, row._id)
  checkDraft(db, trial, { ...row, arms })
  const seed = row.method === 'list' ? null : (row.seed ?? newSecret())
  const nonce = newSecret()
  const lists = listsFor(db, trial, row, arms, seed)
  for (const list of lists) {
    insertList(db, { ...list, randomisation: row._id, trial: row.trial, isCommitted: true })
  }
  const commitment = commitmentTo(documentFor({ ...row, seed, nonce }, arms, lists))
  const sealing = { status: 'sealed', seed, nonce, commitment, sealedAt: by.now, sealedBy: by.user } as const
  return updateRandomisation(db, row._id, sealing)
}

/**
 * The list of a stratum of a sealed randomisation. That of a site or option that came after the sealing is made now: the seed, which
 * was committed, decides it. Undefined if an uploaded list lacks the stratum.
 */
export function listFor(db: Db, row: RandomisationRow, arms: readonly ArmRow[], stratum: string): ListRow | undefined {
  const known = listAt(db, row._id, stratum)
  if (known || row.seed === null) return known
  const list = listOf(parametersOf(row, arms), row.seed, stratum)
  return insertList(db, { randomisation: row._id, trial: row.trial, stratum, arms: list, isCommitted: false })
}

/** The sealed list as it is revealed. @throws 400 for a draft */
export function revealedList(db: Db, row: RandomisationRow) {
  const { nonce, commitment } = row
  if (nonce === null || commitment === null) throw refuse.bad('listNotSealed', { name: row.name })
  const arms = armsOf(db, row._id)
  const lists = listsOf(db, row._id)
  const committed = lists.filter(({ isCommitted }) => isCommitted)
  return {
    document: documentFor({ ...row, nonce }, arms, committed),
    commitment,
    lists: lists.map((list) => ({
      stratum: JSON.parse(list.stratum) as string[],
      arms: list.arms.map((arm) => arms[arm]!.name),
    })),
  }
}
