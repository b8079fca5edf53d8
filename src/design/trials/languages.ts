import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { settingsOf } from './rules'
import type { Trial } from './store'

/** Refuses (422) a language into which a trial is not translated. @param where the field that names it */
export function requireTranslated(trial: Trial, language: string, where: 'query' | 'json'): void {
  const [source, ...others] = settingsOf(trial).languages
  if (others.includes(language) && language !== source) return
  const problem = language === source ? 'firstLanguage' : 'notALanguageOfTrial'
  throw refuse.invalid({ language: [reason(problem)] }, where)
}
