/** The lists of arms that the methods make from random numbers (docs/randomisation.md, "Methods"). */
import { type Draw, drawArm, drawsOf } from './generator'

/** What the list of a stratum is made from. @field ratios of the arms in their order */
export type ListParameters = {
  method: 'simple' | 'permutedBlocks' | 'stratified' | 'minimisation' | 'list'
  ratios: readonly number[]
  blockSizes: readonly number[]
  listLength: number
}

/** Draws each arm by itself. */
const simpleList = ({ ratios, listLength }: ListParameters, draw: Draw): number[] =>
  Array.from({ length: listLength }, () => drawArm(ratios, draw))

/**
 * Puts blocks one after the other until the list is long enough; the last block stays whole. The size of each block is drawn from
 * the sizes, and its arms, which have exactly the ratio, are shuffled (Fisher and Yates, from the last place down).
 */
function blockList({ ratios, blockSizes, listLength }: ListParameters, draw: Draw): number[] {
  const total = ratios.reduce((sum, ratio) => sum + ratio, 0)
  const list: number[] = []
  while (list.length < listLength) {
    const size = blockSizes[draw(blockSizes.length)]!
    const block = ratios.flatMap((ratio, arm) => Array.from({ length: (ratio * size) / total }, () => arm))
    for (let place = block.length - 1; place > 0; place--) {
      const other = draw(place + 1)
      const arm = block[place]!
      block[place] = block[other]!
      block[other] = arm
    }
    for (const arm of block) list.push(arm)
  }
  return list
}

/** The list of a stratum: places of arms, in the order in which participants get them. @param stratum see `stratumOf` */
export function listOf(parameters: ListParameters, seed: string, stratum: string): number[] {
  const draw = drawsOf(seed, stratum)
  return parameters.method === 'simple' ? simpleList(parameters, draw) : blockList(parameters, draw)
}

/** The name of a stratum: its levels in the order of the factors, as JSON without spaces. Without factors, `[]`. */
export const stratumOf = (levels: readonly string[]): string => JSON.stringify(levels)

/** All combinations of levels, the last factor changing first. @param levels of each factor */
export const strataOf = (levels: readonly (readonly string[])[]): string[][] =>
  levels.reduce<string[][]>((strata, own) => strata.flatMap((each) => own.map((level) => [...each, level])), [[]])
