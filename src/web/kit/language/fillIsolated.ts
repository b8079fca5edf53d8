/** Puts values into a text of a language, each so that it keeps its own direction. */
import { fillTemplate, type ValuesByName } from '#kernel/template'
import { directionOf, type Language } from './languages'

/** Letters that are written from right to left, and characters that turn the direction of a text. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u202a-\u202e]/

/**
 * The text with the values. A name in Latin letters within Arabic words would take the full stop after it to its other side, and an
 * Arabic one within English words the number after it.
 */
export function fillIsolated(template: string, values: ValuesByName, language: Language): string {
  const needsIsolation = directionOf(language) === 'ltr' ? RIGHT_TO_LEFT : /^/
  const isolated = (value: string | number) => (needsIsolation.test(`${value}`) ? `\u2068${value}\u2069` : value)
  const all = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? value.map(isolated) : isolated(value),
  ])
  return fillTemplate(template, Object.fromEntries(all), language)
}
