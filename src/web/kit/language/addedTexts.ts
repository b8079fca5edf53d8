/** The texts of languages that the operator of the server has added, by catalogue. Browsers load each when it is needed. */
import { addedLanguages, type Language } from './languages'

type Texts = Readonly<Record<string, string>>
type Load = (language: Language, catalogue: string) => Promise<Texts>

/** Milliseconds for one file. */
const LONGEST_WAIT = 30_000

const fetched: Load = async (language, catalogue) => {
  const folder = addedLanguages()[language]?.folder
  if (folder === undefined) throw new Error(`There is no language "${language}".`)
  const response = await fetch(`${folder}/${catalogue}.json`, { signal: AbortSignal.timeout(LONGEST_WAIT) })
  if (!response.ok) throw new Error(`${catalogue} in "${language}" answered ${response.status}.`)
  return response.json()
}

let load = fetched

/** Where the texts are read otherwise: the server has them in memory. */
export function readAddedTexts(read: Load): void {
  load = read
}

/** What a language has of a catalogue, by key; what it lacks stays in English. */
export const addedTexts: Load = (language, catalogue) => load(language, catalogue)
