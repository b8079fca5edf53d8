/** The part of kept insights that a reader may see. */
import { type Access, noPlaces } from '#access/caller'
import { layoutOf } from '#conduct/responses/layout'
import { isScoreHidden } from '#conduct/responses/views'
import type { Configuration } from '#design/configuration/configuration'
import { type HiddenFieldTest, hiddenFrom } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'
import { shareOf } from '#office/statistics/estimates'
import { sum } from '#office/statistics/samples'
import type { TrialNumbers } from './numbers'

/** What is hidden from a reader everywhere in the trial, or at a site. */
export const hiddenAt = (config: Configuration, access: Access, site: Id | null): HiddenFieldTest =>
  hiddenFrom(config, access, site === null ? noPlaces : { sites: [site], groups: [] })

/** The numbers of the trial or a site, without fields that are hidden from the reader or were deleted since. */
export function visibleNumbers(
  config: Configuration,
  { fields, forms, measures, scores, ...numbers }: TrialNumbers,
  hidden: HiddenFieldTest,
) {
  const shown = <T extends { dataType: Id }>(list: readonly T[]) =>
    list.flatMap((each) => {
      const type = config.dataTypes.get(each.dataType)
      return type && !hidden(each.dataType) ? [{ ...each, name: type.name, unit: type.unit }] : []
    })
  const byField = shown(fields)
  const [asked, answered] = [sum(byField.map((each) => each.asked)), sum(byField.map((each) => each.answered))]
  return {
    ...numbers,
    completeness: { forms, fields: shareOf(answered, asked), byField },
    measures: shown(measures),
    scores: scores.flatMap(({ stage, dataTypes, occurrences }) => {
      const row = config.stages.get(stage)
      if (!row || isScoreHidden(config, stage, layoutOf(stage, dataTypes), hidden)) return []
      return [{ stage, name: row.name, occurrences }]
    }),
  }
}
