/** Problems with answers, each with its code and parameters. The table of codes is `#texts/answers/en`. */
import { type AnswerCode, type AnswerParams, type CodedProblem, problemText } from '#texts/answers/problemText'

/**
 * The problem of an answer. `wrong`: not the JSON type of the format (422). `unfit`: outside the settings (400). `problem` is its
 * text, as it follows the title of the question.
 */
export type AnswerProblem = CodedProblem & { kind: 'wrong' | 'unfit'; problem: string }

type ProblemParams<C extends AnswerCode> = keyof AnswerParams<C> extends never ? [] : [params: AnswerParams<C>]

const makeProblem = (kind: AnswerProblem['kind'], coded: CodedProblem): AnswerProblem => ({
  kind,
  ...coded,
  problem: problemText(coded) ?? '',
})

export const wrongType = <C extends AnswerCode>(code: C, ...[params]: ProblemParams<C>): AnswerProblem =>
  makeProblem('wrong', { code, params: params ?? {} })
export const outsideSettings = <C extends AnswerCode>(code: C, ...[params]: ProblemParams<C>): AnswerProblem =>
  makeProblem('unfit', { code, params: params ?? {} })

/** The problem of a cell of a table. @param row from 1 */
export const inCell = (row: number, column: string, { kind, code, params, inner }: AnswerProblem): AnswerProblem =>
  makeProblem(kind, {
    code: 'cell',
    params: { row, column },
    inner: inner ? { code, params, inner } : { code, params },
  })
