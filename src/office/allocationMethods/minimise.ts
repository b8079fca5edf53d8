/** Minimisation after Pocock and Simon (1975), with a random element (docs/randomisation.md, "Minimisation"). */
import { type Draw, drawArm } from './generator'

export type MinimisationParameters = {
  /** Of the arms in their order. */
  ratios: readonly number[]
  /** Of the factors in their order. */
  weights: readonly number[]
  /** How often, of 100 times, the arm with the least imbalance is taken. */
  preferredPercent: number
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))
const leastCommonMultiple = (a: number, b: number): number => (a / greatestCommonDivisor(a, b)) * b

/**
 * The imbalance if the next participant got an arm: for each factor the weight times the range, over the arms, of the number of
 * participants with the same level divided by the arm's ratio; summed. All numbers are multiplied by the least common
 * multiple of the ratios, so that they are whole and comparing them is exact.
 * @param counts of participants with the next one's level, by factor and arm
 */
export function imbalanceWith(
  arm: number,
  { ratios, weights }: Pick<MinimisationParameters, 'ratios' | 'weights'>,
  counts: readonly (readonly number[])[],
): number {
  const whole = ratios.reduce(leastCommonMultiple)
  const ranges = counts.map((own) => {
    const shares = ratios.map((ratio, each) => ((own[each] ?? 0) + (each === arm ? 1 : 0)) * (whole / ratio))
    return Math.max(...shares) - Math.min(...shares)
  })
  return ranges.reduce((sum, range, factor) => sum + range * weights[factor]!, 0)
}

/**
 * The arm (its place) of the next participant. If all arms have the same imbalance, it is drawn by the ratio. Else a number below 100
 * is drawn: if it is below the percentage, the arm is drawn by the ratio from those with the least imbalance, else from the others.
 */
export function minimise(
  parameters: MinimisationParameters,
  counts: readonly (readonly number[])[],
  draw: Draw,
): number {
  const { ratios, preferredPercent } = parameters
  const imbalances = ratios.map((_, arm) => imbalanceWith(arm, parameters, counts))
  const least = Math.min(...imbalances)
  const isPreferred = imbalances.map((imbalance) => imbalance === least)
  if (isPreferred.every(Boolean)) return drawArm(ratios, draw)
  const takesPreferred = draw(100) < preferredPercent
  return drawArm(
    ratios.map((ratio, arm) => (isPreferred[arm] === takesPreferred ? ratio : 0)),
    draw,
  )
}

/** The label of the stream of random numbers for an allocation. @param number of the allocation, from 1 */
export const minimisationLabel = (number: number): string => `allocation ${number}`
