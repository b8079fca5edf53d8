/**
 * Random numbers from a seed, made of SHA-256 alone, so that anybody can compute them again in any language
 * (docs/randomisation.md, "The generator").
 */
import { sha256 } from '#kernel/id'

/** Returns a whole number from 0 up to, not including, `below`; each is equally likely. @param below from 1 to 2^32 */
export type Draw = (below: number) => number

const RANGE = 2 ** 32

/**
 * The numbers of one stream of a seed. Block 0, 1, … of the stream is SHA-256 of the seed, the label and the number of the
 * block, joined by line feeds; it is eight numbers of 32 bits, the first bytes first. A number that would make some results more
 * likely than others is skipped.
 * @param seed without line feeds
 * @param label the name of the stream, such as the stratum of a list
 */
export function drawsOf(seed: string, label: string): Draw {
  let block = 0
  let digits = ''
  let at = 0
  const next = (): number => {
    if (at === digits.length) {
      digits = sha256(`${seed}\n${label}\n${block++}`)
      at = 0
    }
    at += 8
    return Number.parseInt(digits.slice(at - 8, at), 16)
  }
  return (below) => {
    const end = RANGE - (RANGE % below)
    for (;;) {
      const number = next()
      if (number < end) return number % below
    }
  }
}

/** An arm (its place) drawn with the probabilities of the ratio. @param ratios of the arms in order; 0 for one that is left out */
export function drawArm(ratios: readonly number[], draw: Draw): number {
  let left = draw(ratios.reduce((sum, ratio) => sum + ratio, 0))
  return ratios.findIndex((ratio) => {
    left -= ratio
    return left < 0
  })
}
