/** The part of a question in which a problem is: a cell of a table, height or weight, a statement (pure). */
import type { CodedProblem } from '#texts/answers/problemText'
import type { Settings } from './stage'

export type FaultyPart = {
  /** What the id of its control has behind that of the question; empty for the first control. */
  suffix: string
  /** Its own problem, which is said beside it in place of that of the question; undefined if the question says it. */
  own?: CodedProblem
}

/** The id of the control of a statement, behind that of the question. */
export const statementPart = (place: number): string => (place === 0 ? '' : `-s${place}`)
export const cellPart = (row: number, column: string): string => `-${row}-${column}`

/** @returns undefined if the problem is of the whole question */
export function faultyPartOf(problem: CodedProblem, settings: Settings, value: unknown): FaultyPart | undefined {
  const { code, params, inner } = problem
  if (code === 'cell') {
    const column = settings.columns?.find(({ label }) => label === params.column)
    if (!column || !inner || typeof params.row !== 'number') return undefined
    return { suffix: cellPart(params.row - 1, column.id), own: inner }
  }
  if (code.startsWith('height')) return { suffix: '' }
  if (code.startsWith('weight')) return { suffix: '-weight' }
  if (code === 'openStatements') {
    const answers = typeof value === 'object' && value !== null ? value : {}
    const place = (settings.statements ?? []).findIndex(({ key }) => !Object.hasOwn(answers, key))
    return place < 0 ? undefined : { suffix: statementPart(place) }
  }
  return undefined
}
