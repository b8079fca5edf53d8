/**
 * The document of a sealed randomisation: all that decides its allocations, as text. Its SHA-256 is the commitment, so that after
 * the unblinding `sha256sum` of the same text shows that nothing was changed (docs/randomisation.md, "The commitment").
 */
import type { FactorFields } from '#db/tables/randomisation'
import { sha256 } from '#kernel/id'
import type { ListParameters } from './lists'

export type DocumentContent = Omit<ListParameters, 'ratios'> & {
  arms: readonly { name: string; ratio: number }[]
  factors: readonly FactorFields[]
  preferredPercent: number
  nonce: string
  /** Null for an uploaded list. */
  seed: string | null
  /** Empty for a minimisation. */
  lists: readonly { stratum: string; arms: readonly number[] }[]
}

/** A factor as JSON, its fields in a fixed order, without those that it does not have. */
const factorText = ({ name, type, groups, stage, dataType, cutPoints, weight }: FactorFields): string =>
  JSON.stringify({ name, type, groups, stage, dataType, cutPoints, weight })

/** Strata in the order of their UTF-16 code units. */
const compareStrata = (a: { stratum: string }, b: { stratum: string }) => (a.stratum < b.stratum ? -1 : 1)

/** The document: lines that each end with a line feed. Arms are counted from 1. */
export function documentOf(content: DocumentContent): string {
  const { method, arms, blockSizes, listLength, factors, preferredPercent, nonce, seed, lists } = content
  const hasBlocks = method === 'permutedBlocks' || method === 'stratified'
  const lines = [
    'trialbox randomisation 1',
    `method ${method}`,
    ...arms.map(({ name, ratio }, index) => `arm ${index + 1} ${ratio} ${JSON.stringify(name)}`),
    ...factors.map((factor, index) => `factor ${index + 1} ${factorText(factor)}`),
    ...(hasBlocks ? [`blockSizes ${blockSizes.join(',')}`] : []),
    ...(hasBlocks || method === 'simple' ? [`listLength ${listLength}`] : []),
    ...(method === 'minimisation' ? [`preferredPercent ${preferredPercent}`] : []),
    `nonce ${nonce}`,
    ...(seed === null ? [] : [`seed ${seed}`]),
    ...lists.toSorted(compareStrata).map((list) => `list ${list.stratum} ${list.arms.map((arm) => arm + 1).join(',')}`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** The commitment to a document: SHA-256 of its UTF-8 bytes, in hexadecimal. */
export const commitmentTo = (document: string): string => sha256(document)
