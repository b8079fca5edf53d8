/** Patterns in the database that are no longer taken: from an older version, or from an archive. */
import type { Db } from '#db/open'
import { PATTERN_LENGTH, patternOf } from './pattern'
import { patternReason } from './problemReasons'
import { dataTypesWithPattern } from './store'

/** The patterns against which answers are not checked: the code of the trial, that of the field, and what is wrong. */
export function* unreadablePatterns(db: Db): Generator<{ trial: string; code: string; problem: string }> {
  for (const { trialCode: trial, ...dataType } of dataTypesWithPattern(db)) {
    for (const { pattern, maxLength } of [dataType, ...(dataType.columns ?? [])]) {
      if (!pattern || patternOf(pattern)) continue
      yield { trial, code: dataType.code, problem: patternReason(pattern, maxLength ?? PATTERN_LENGTH)?.text ?? '' }
    }
  }
}
