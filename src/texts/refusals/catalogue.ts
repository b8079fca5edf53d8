/**
 * The refusals in other languages than English, as pages load them. German has all of them, for staff. The other languages of
 * participants have those that participants and people behind links can meet: a test finds out which these are.
 */
import { ar } from './ar'
import { de } from './de'
import { es } from './es'
import { fr } from './fr'
import { joinParts } from './parts'

type Sentences = Readonly<Record<string, string>>

/** The keys of what participants and people behind links can meet. */
const forEverybody: ReadonlySet<string> = new Set(Object.keys(joinParts(fr)))

const split = (all: Sentences, isFirst: (key: string) => boolean): Sentences =>
  Object.fromEntries(Object.entries(all).filter(([key]) => isFirst(key)))

/** By language: first what participants and people behind links can meet, then, for staff, the rest. */
export const refusalTexts: Readonly<Record<string, readonly Sentences[]>> = {
  de: [split(joinParts(de), (key) => forEverybody.has(key)), split(joinParts(de), (key) => !forEverybody.has(key))],
  fr: [joinParts(fr)],
  es: [joinParts(es)],
  ar: [joinParts(ar)],
}
