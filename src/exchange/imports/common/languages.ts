/** Texts of a file in several languages: the plan has those of one, and the others as translations. */
import { type ImportPlan, unknownLanguageWarning, type Warning } from '#design/stages/importPlan'
import { setTranslation, textsOf } from '#design/translations/rules'
import { pathText } from '#design/translations/sources'
import { dataTypeTexts, stageTexts, type TextKind } from '#design/translations/textKinds'
import { assemble } from './assemble'
import type { Draft } from './draft'

/**
 * Makes the plan of a draft; the texts of its other languages become translations. See `assemble`.
 * @param wanted the languages that are read, as each takes as long as the first; without it all. A warning names the others
 */
export function planOf(draft: Draft, exact = false, wanted?: readonly string[]): ImportPlan {
  const plan = assemble(draft, exact)
  const left: Warning[] = []
  for (const [language, read] of draft.others ?? []) {
    if (!wanted || wanted.includes(language)) addTranslations(plan, assemble(read(), exact), language)
    else left.push(unknownLanguageWarning(language))
  }
  return left.length ? { ...plan, warnings: [...left, ...plan.warnings] } : plan
}

/** Adds the texts of the same plan in another language, where they differ. */
function addTranslations(plan: ImportPlan, other: ImportPlan, language: string): void {
  for (const [n, stage] of plan.stages.entries()) add(stage, other.stages[n], stageTexts)
  const types = new Map(other.dataTypes.map((type) => [type.code, type]))
  for (const type of plan.dataTypes) add(type, types.get(type.code), dataTypeTexts)

  function add(object: object, translated: object | undefined, kind: TextKind): void {
    const texts = new Map([...textsOf(translated ?? {}, kind)].map(({ path, source }) => [pathText(path), source]))
    for (const place of textsOf(object, kind)) {
      const text = texts.get(pathText(place.path))
      if (text !== undefined && text !== place.source) setTranslation(place, language, text)
    }
  }
}
