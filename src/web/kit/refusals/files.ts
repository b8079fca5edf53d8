/** The sentences of refusals in other languages than English: files that are loaded when something was refused. */
import type { Language } from '#web/kit/language/languages'
import type { RefusalTexts } from './sentence'

/**
 * Their names in `/web/` by language, set by the build: first the file with what participants and people behind links can meet, then, where
 * the pages of staff have the language, one with the rest.
 */
declare const REFUSAL_FILES: Readonly<Record<string, readonly string[]>>

const files = typeof REFUSAL_FILES === 'undefined' ? {} : REFUSAL_FILES

/** How long somebody waits for them, in milliseconds, before they read the sentence in English. */
const LONGEST_WAIT = 5_000

/** The files of a language, in the order in which they are needed; none for English. */
export const refusalFiles = (language: Language): readonly string[] =>
  (files[language] ?? []).map((name) => `/web/${name}`)

const loaded = new Map<string, Promise<RefusalTexts>>()

async function load(path: string): Promise<RefusalTexts> {
  const response = await fetch(path, { signal: AbortSignal.timeout(LONGEST_WAIT) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
  return response.json()
}

/** The sentences of a file, which is loaded once. */
export function loadRefusals(path: string): Promise<RefusalTexts> {
  const loading = loaded.get(path) ?? load(path)
  loaded.set(path, loading)
  // A device that lost its connection in between tries again.
  loading.catch(() => loaded.delete(path))
  return loading
}
