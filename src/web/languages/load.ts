/** Reads the languages that a site has added, when its server starts. It is loaded only if there is a folder with some. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddedLanguage } from '#web/kit/language/addedLanguage'
import { readAddedTexts } from '#web/kit/language/addedTexts'
import { setAddedLanguages } from '#web/kit/language/languages'
import { keepFiles } from '#web/serving/addedFiles'
import { digest } from '#web/serving/digest'
import { englishTexts } from './english'
import { codeProblem, compare, readLanguage } from './language'

/** The codes of the files in a folder; none if there is no folder. */
export const codesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
    : []

/** Reads one file. @throws an error that says in a sentence what is wrong with it */
export function readFile(folder: string, code: string) {
  const problem = codeProblem(code)
  if (problem !== undefined) throw new Error(problem)
  return readLanguage(readFileSync(join(folder, `${code}.json`), 'utf8'))
}

/**
 * Adds the languages of a folder to those of the pages. A file that is faulty is left out, and so are single texts whose placeholders are
 * wrong: the pages show these in English. @param onProblem called with a sentence for each
 */
export async function addLanguages(folder: string, onProblem: (sentence: string) => void): Promise<string[]> {
  const english = await englishTexts()
  const languages: Record<string, AddedLanguage> = {}
  const texts = new Map<string, Readonly<Record<string, Readonly<Record<string, string>>>>>()
  for (const code of codesIn(folder).sort()) {
    const path = join(folder, `${code}.json`)
    try {
      const file = readFile(folder, code)
      const found = compare(code, file, english)
      const { name, direction } = file.language
      const hash = digest(Buffer.from(JSON.stringify([name, direction, found.texts])))
      languages[code] = { name, dir: direction, folder: `/web/languages/${code}-${hash}` }
      texts.set(code, found.texts)
      if (found.wrong.length)
        onProblem(
          `${path}: ${found.wrong.length} texts are shown in English, since their placeholders are wrong: see trialbox languages check`,
        )
    } catch (error) {
      onProblem(`${path} is not used: ${(error as Error).message}`)
    }
  }
  readAddedTexts(async (language, catalogue) => texts.get(language)?.[catalogue] ?? {})
  keepFiles(
    [...texts].flatMap(([code, catalogues]) =>
      Object.entries(catalogues).map(([catalogue, all]): [string, string] => [
        `${languages[code]!.folder}/${catalogue}.json`,
        JSON.stringify(all),
      ]),
    ),
  )
  setAddedLanguages(languages)
  return Object.keys(languages)
}
