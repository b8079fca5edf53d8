/** Pseudo-random numbers: the same seed gives the same sequence, so the same study. */
export type Random = {
  /** At least 0, below 1. */
  unit(): number
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number
  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Mulberry32: small, and even enough for generated participants. Never use it for secrets. */
export function randomFrom(seed: number): Random {
  let state = seed | 0
  function unit(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(unit() * (to - from + 1))
  return {
    unit,
    whole,
    chance: (probability) => unit() < probability,
    pick: (list) => list[whole(0, list.length - 1)]!,
  }
}
