/** Writes what is wrong with an answer, from its code. Pure and small: the participant app uses it too. */
import { type CodeOf, fillTemplate, type PlaceholderIn, templateOf } from '#kernel/template'
import { type AnswerTexts, answerTexts } from './en'

type Key = keyof typeof answerTexts
/** The code of a problem with an answer. */
export type AnswerCode = CodeOf<Key>
type TextOf<C extends AnswerCode> = {
  [K in Key]: CodeOf<K> extends C ? (typeof answerTexts)[K] : never
}[Key]
/** The parameters of a code. That of a cell's own problem is `inner`. */
export type AnswerParams<C extends AnswerCode> = {
  readonly [P in Exclude<PlaceholderIn<TextOf<C>>, 'problem'>]: P extends 'count' | 'row' ? number : string | number
}

/** A problem with an answer, for programs. `inner`: the problem of the cell of a table that `params` name. */
export type CodedProblem = {
  code: AnswerCode | 'constraint'
  params: Readonly<Record<string, string | number>>
  inner?: CodedProblem
}

/** The text of a problem, as it follows the title of the question; undefined for a rule of the study, which has its own message. */
export function problemText(
  { code, params, inner }: CodedProblem,
  texts: AnswerTexts = answerTexts,
  language = 'en',
): string | undefined {
  if (code === 'constraint') return undefined
  const text = templateOf(texts, code, params.count, language)
  const problem = inner && problemText(inner, texts, language)
  return text && fillTemplate(text, { ...params, ...(problem === undefined ? {} : { problem }) })
}
