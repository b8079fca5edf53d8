/** What is wrong with the rows of a csv. */
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'

const MOST_PROBLEMS = 100

/** Collects problems by line, and refuses (422) with them. */
export function problemList() {
  const problems: Reason[] = []
  return {
    add: (line: number, problem: Reason, column?: string) => {
      if (problems.length >= MOST_PROBLEMS) return
      const isOfLine = column === undefined
      problems.push(isOfLine ? reason('inLine', { line, problem }) : reason('inCell', { line, column, problem }))
    },
    refuseAny: () => {
      if (problems.length) throw refuse.invalid({ content: problems })
    },
  }
}
