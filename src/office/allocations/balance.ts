/** How far the allocations are from the ratio of the arms (docs/randomisation.md, "Balance"). */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { armsOf, type RandomisationRow } from '#office/randomisation/store'
import { countsByLevel, countsByStratum } from './store'

/** The range of the counts, each divided by the ratio of its arm. */
export function imbalanceOf(counts: readonly number[], ratios: readonly number[]): number {
  const shares = counts.map((count, arm) => count / ratios[arm]!)
  return Math.max(...shares) - Math.min(...shares)
}

/** The largest imbalance that permuted blocks allow at any moment: that of the largest block. Other methods have no bound. */
export function boundOf(
  { method, blockSizes }: Pick<RandomisationRow, 'method' | 'blockSizes'>,
  ratios: readonly number[],
) {
  const total = ratios.reduce((sum, ratio) => sum + ratio, 0)
  return method === 'permutedBlocks' || method === 'stratified' ? Math.max(...blockSizes) / total : null
}

/** The balance of a randomisation now. */
export function balanceOf(db: Db, randomisation: RandomisationRow) {
  const arms = armsOf(db, randomisation._id)
  const ratios = arms.map(({ ratio }) => ratio)
  const total = ratios.reduce((sum, ratio) => sum + ratio, 0)
  const inArms = (rows: readonly { arm: Id; count: number }[]) =>
    arms.map(({ _id }) => rows.find(({ arm }) => arm === _id)?.count ?? 0)
  const strata = [...Map.groupBy(countsByStratum(db, randomisation._id), ({ stratum }) => stratum)].map(
    ([stratum, rows]) => ({ stratum: JSON.parse(stratum) as string[], counts: inArms(rows) }),
  )
  const counts = arms.map((_, arm) => strata.reduce((sum, own) => sum + own.counts[arm]!, 0))
  const allocated = counts.reduce((sum, count) => sum + count, 0)
  const byLevel = Map.groupBy(countsByLevel(db, randomisation._id), ({ factor, level }) => `${factor} ${level}`)
  return {
    allocated,
    arms: arms.map(({ _id, name, ratio }, index) => {
      return { _id, name, ratio, count: counts[index]!, expected: (allocated * ratio) / total }
    }),
    strata: strata.map((own) => ({ ...own, imbalance: imbalanceOf(own.counts, ratios) })),
    factors: [...byLevel.values()].map((rows) => {
      const counts = inArms(rows)
      const { factor, level } = rows[0]!
      return { factor: randomisation.factors[factor]!.name, level, counts, imbalance: imbalanceOf(counts, ratios) }
    }),
    bound: boundOf(randomisation, ratios),
  }
}
