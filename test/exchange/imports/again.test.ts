import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ImportPlan } from '#design/stages/importPlan'
import { type Source, sources } from '#exchange/imports/model'
import { readPlan } from '#exchange/imports/read'
import { writePlan } from '#exchange/imports/write/write'
import { bare, plans } from './plans'

const header = { study: 'A & B <study>', createdAt: '2026-03-02T12:00:00.000000Z' }

function again(plan: ImportPlan, format: Source): ImportPlan {
  const { content } = writePlan(plan, format, header)
  return readPlan(format, typeof content === 'string' ? new TextEncoder().encode(content) : content)
}

test.each([...sources])(
  'any study is the same after an export as %s and an import',
  (format) => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(bare(again(plan, format))).toEqual(bare(plan))
      }),
      { numRuns: format === 'xlsform' ? 40 : 150 },
    )
  },
  60_000,
)

test.each(sources.flatMap((from) => sources.map((to) => [from, to] as const)))(
  'a study imported from %s is the same after an export as %s and an import, with its ids',
  (from, to) => {
    fc.assert(
      fc.property(plans, (plan) => {
        const imported = again(plan, from)
        const back = again(imported, to)
        expect({ ...back, warnings: [] }).toEqual({ ...imported, warnings: [] })
      }),
      { numRuns: 15 },
    )
  },
)
