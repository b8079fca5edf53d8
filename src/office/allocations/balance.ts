/** How far the allocations are from the ratio of the arms (docs/randomisation.md, "Balance"). */
import type { Id } from '#kernel/id'
import { armsOf, type RandomisationRow } from '#office/randomisation/store'
import { countsByLevel, countsByStratum } from './store'
import { isLevelHidden } from './view'

/** The range of the counts, each divided by the ratio of its arm. */
function imbalanceOf(counts: readonly number[], ratios: readonly number[]): number {
  const shares = counts.map((count, arm) => count / ratios[arm]!)
  return Math.max(...shares) - Math.min(...shares)
}

/** The largest imbalance that permuted blocks allow at any moment: that of the largest block. Other methods have no bound. */
function boundOf({ method, blockSizes }: Pick<RandomisationRow, 'method' | 'blockSizes'>, ratios: readonly number[]) {
  const total = ratios.reduce((sum, ratio) => sum + ratio, 0)
  return method === 'permutedBlocks' || method === 'stratified' ? Math.max(...blockSizes) / total : null
}

/** The balance of a randomisation now, without strata and factors whose levels are answers that are hidden from the reader. */
export function balanceOf(reader: Parameters<typeof isLevelHidden>[0]) {
  const { db, randomisation } = reader
  const hidden = randomisation.factors.map((_, factor) => isLevelHidden(reader, factor))
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
  const levels = countsByLevel(db, randomisation._id).filter(({ factor }) => !hidden[factor])
  const byLevel = Map.groupBy(levels, ({ factor, level }) => `${factor} ${level}`)
  return {
    allocated,
    arms: arms.map(({ _id, name, ratio }, index) => {
      return { _id, name, ratio, count: counts[index]!, expected: (allocated * ratio) / total }
    }),
    strata: (hidden.includes(true) ? [] : strata).map((own) => ({
      ...own,
      imbalance: imbalanceOf(own.counts, ratios),
    })),
    factors: [...byLevel.values()].map((rows) => {
      const counts = inArms(rows)
      const { factor, level } = rows[0]!
      return { factor: randomisation.factors[factor]!.name, level, counts, imbalance: imbalanceOf(counts, ratios) }
    }),
    bound: boundOf(randomisation, ratios),
  }
}
