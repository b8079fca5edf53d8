/** The sentences of refusals in other languages than English: files that are loaded when something was refused. */
import { addedTexts } from '#web/kit/language/addedTexts'
import { isBuiltIn, type Language } from '#web/kit/language/languages'
import type { RefusalTexts } from './sentence'

/**
 * Their names in `/web/` by language, set by the build: first the file with what participants and people behind links can meet, then, where
 * the pages of staff have the language, one with the rest.
 */
declare const REFUSAL_FILES: Readonly<Record<string, readonly string[]>>

const files = typeof REFUSAL_FILES === 'undefined' ? {} : REFUSAL_FILES

/** How long somebody waits for them, in milliseconds, before they read the sentence in English. */
const LONGEST_WAIT = 5_000

const loaded = new Map<string, Promise<RefusalTexts>>()

async function load(name: string): Promise<RefusalTexts> {
  const response = await fetch(`/web/${name}`, { signal: AbortSignal.timeout(LONGEST_WAIT) })
  if (!response.ok) throw new Error(`${name} answered ${response.status}.`)
  return response.json()
}

/** Loads this once. A device that lost its connection in between tries again. */
function once(key: string, load: () => Promise<RefusalTexts>): Promise<RefusalTexts> {
  const loading = loaded.get(key) ?? load()
  loaded.set(key, loading)
  loading.catch(() => loaded.delete(key))
  return loading
}

/** The functions that load the sentences of a language, in the order in which they are needed; none for English. */
export function refusalLoaders(language: Language): readonly (() => Promise<RefusalTexts>)[] {
  if (!isBuiltIn(language)) return [() => once(language, () => addedTexts(language, 'refusals'))]
  return (files[language] ?? []).map((name) => () => once(name, () => load(name)))
}
