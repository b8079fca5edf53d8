/**
 * Finds which list items did not move: the longest increasing subsequence of their old places, in O(n log n).
 * @param places the old places of the items, in the items' new order
 */
export function unmovedPlaces(places: readonly number[]): Set<number> {
  const ends: number[] = [] // positions in `places` of the smallest end of a run of each length
  const before: number[] = []
  for (const [at, place] of places.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (places[ends[middle]!]! < place) low = middle + 1
      else high = middle
    }
    before[at] = ends[low - 1] ?? -1
    ends[low] = at
  }
  const unmoved = new Set<number>()
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) unmoved.add(places[at]!)
  return unmoved
}
