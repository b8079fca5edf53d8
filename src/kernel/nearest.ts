/** Finds the word that was probably meant. */

/** The edit distance of two words: the number of letters that are missing, added, changed or swapped. */
export function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replacement = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwapped ? rows[i - 2]![j - 2]! + 1 : replacement
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replacement, swap))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

/** The known word that was probably meant; undefined if none is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const closest = known.map((each) => ({ each, apart: distance(word, each) })).sort((a, b) => a.apart - b.apart)[0]
  return closest && closest.apart <= Math.max(1, Math.floor(word.length / 3)) ? closest.each : undefined
}
