/** The texts of stages and questions in the other languages of the study (pure). */
import type { StageRow } from '#design/stages/store'
import { inLanguage } from '#design/translations/rules'
import { dataTypeTexts, stageTexts } from '#design/translations/textKinds'
import type { ExportField } from '#exchange/exports/datasets/form'
import { oncePerKey } from '#exchange/exports/datasets/identity'
import { type Question, questionOf } from './items'

/** Stages and questions as they are in one language; what is not translated is in that of the study. */
export type Translation = {
  language: string
  stage: (stage: StageRow) => StageRow
  question: (question: Question) => Question
}

/** @param languages of the study; its texts themselves are in the first */
export const translationsOf = (languages: readonly string[]): Translation[] =>
  languages.slice(1).map((language) => ({
    language,
    stage: oncePerKey((stage: StageRow) => inLanguage(stage, stageTexts, language)),
    question: oncePerKey(({ field }: Question) =>
      questionOf(withTranslatedLabels(inLanguage(field, dataTypeTexts, language))),
    ),
  }))

type OptionOwner = { options?: readonly { label: string; text?: string }[] | null }

/** The field with the translated texts of its options in place of their labels, by which answers are stored. */
function withTranslatedLabels(field: ExportField): ExportField {
  const own = <T extends OptionOwner>(object: T): T =>
    object.options
      ? { ...object, options: object.options.map((each) => ({ ...each, label: each.text ?? each.label })) }
      : object
  if (field.format === undefined) return field
  return own(field.format === 'table' ? { ...field, columns: field.columns?.map(own) } : field)
}
