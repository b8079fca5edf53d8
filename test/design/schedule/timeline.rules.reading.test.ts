/** The timeline of any stages is the one that the second implementation computes. */
import { expect, test } from 'bun:test'
import type { TimelineEntry } from '#design/schedule/rules'
import { computed, holds, read, sorted } from './timeline.rules.reading.shared'

test('a timeline is the same as that of the second implementation', () => {
  holds((all, given) => {
    // Also at the moments at which something opens or closes.
    const edges = read(all, given).flatMap(({ enableAt, expiresAt }) =>
      [enableAt, expiresAt].filter((at) => at != null),
    )
    for (const now of [given.now, ...edges.slice(0, 3), ...edges.slice(-1)]) {
      const known = { ...given, now }
      const expected = sorted(read(all, known))
      const entries = computed(all, known).map((entry, i) =>
        Object.fromEntries(Object.keys(expected[i] ?? {}).map((field) => [field, entry[field as keyof TimelineEntry]])),
      )
      expect(entries).toEqual(expected)
    }
  }, 600)
})
