/** The missing data codes of a REDCap project: options with such a code say why there is no answer. */
import type { Warning } from '#design/stages/importPlan'
import { excerptOf } from '#documents/texts'
import { children, textIn, type Xml } from '#documents/xml'
import type { DraftItem, DraftStage } from '#exchange/imports/common/draft'

/** The codes that the project has, in lower case: a line or a part between bars for each, such as `-99, Not done`. */
export function missingCodesOf(study: Xml): Set<string> {
  const texts = children(study, 'GlobalVariables').flatMap((each) => children(each, 'MissingDataCodes').map(textIn))
  const lines = texts.flatMap((text) => text.split(/[\n|]/))
  const codes = lines.map((line) => (/^[^,=]*/.exec(line)?.[0] ?? '').trim().toLowerCase())
  return new Set(codes.filter((code) => code !== ''))
}

/** Marks the options with these codes, in place. In REDCap every field takes the codes; here only an option can have one, which a warning says. */
export function markMissing(stages: Iterable<DraftStage>, codes: ReadonlySet<string>, warnings: Warning[]): void {
  if (!codes.size) return
  for (const { items } of stages) for (const item of items) markOptions(item, codes)
  warnings.push({
    field: 'MissingDataCodes',
    problem: `Only options can have the codes that say why there is no answer: those with ${excerptOf([...codes].join(', '))} are marked. Other fields do not take them.`,
  })
}

function markOptions(item: DraftItem, codes: ReadonlySet<string>): void {
  if (item.kind !== 'field' || !item.settings.options) return
  item.settings.options = item.settings.options.map((option) =>
    codes.has(String(option.code).toLowerCase()) ? { ...option, missing: true } : option,
  )
}
