import { fault } from '#kernel/fault'
import { configure, dataOption, languagesOption } from '#server/config/settings'
import type { Call, Command } from './command'

export const command: Command = {
  name: 'languages',
  summary: 'write the file for a further language of the pages, and check such files',
  usage: 'write <code> | check [flags]',
  about:
    '`write` makes <code>.json with every text of the pages in English, to be translated beside it; of a file that is there, what is\ntranslated stays, and what is new is added. `check` says what each file lacks, what has changed in English since, and what is wrong.\nThe server reads the files when it starts.',
  options: [dataOption, languagesOption],
  examples: ['trialbox languages write nl --data /srv/trialbox', 'trialbox languages check --data /srv/trialbox'],
  words: 2,
  async run(call) {
    const [action, code] = call.words
    const { languages: folder } = configure(call.flags, call.env)
    if (action === 'write' && code !== undefined) return write(call, folder, code)
    if (action === 'check' && code === undefined) return check(call, folder)
    throw fault('This needs what to do: trialbox languages write <code>, or trialbox languages check.')
  },
}

async function write({ print }: Call, folder: string, code: string): Promise<number> {
  const [{ existsSync, mkdirSync, renameSync, writeFileSync }, { join }, language, { englishTexts }, { readFile }] =
    await Promise.all([
      import('node:fs'),
      import('node:path'),
      import('#web/languages/language'),
      import('#web/languages/english'),
      import('#web/languages/load'),
    ])
  const problem = language.codeProblem(code)
  if (problem !== undefined) throw fault(problem)
  const path = join(folder, `${code}.json`)
  let before: ReturnType<typeof readFile> | undefined
  try {
    if (existsSync(path)) before = readFile(folder, code)
  } catch (error) {
    throw fault(`${path} cannot be read, and stays as it is: ${(error as Error).message}`)
  }
  const english = await englishTexts()
  const file = language.template(code, before, english)
  mkdirSync(folder, { recursive: true })
  // What is translated is never lost: the file is replaced as a whole.
  writeFileSync(`${path}.new`, `${JSON.stringify(file, null, 2)}\n`)
  renameSync(`${path}.new`, path)
  const { count, missing } = language.compare(code, file, english)
  print(`${path}: ${count} texts, ${missing.length} of them to be translated`)
  return 0
}

/** The most places that are listed of each kind. */
const MOST = 20

async function check({ print }: Call, folder: string): Promise<number> {
  const [{ compare }, { englishTexts }, { codesIn, readFile }] = await Promise.all([
    import('#web/languages/language'),
    import('#web/languages/english'),
    import('#web/languages/load'),
  ])
  const codes = codesIn(folder)
  if (!codes.length) print(`There are no languages in ${folder}.`)
  const english = await englishTexts()
  let isFaulty = false
  for (const code of codes.sort()) {
    try {
      const file = readFile(folder, code)
      const { count, missing, stale, unknown, wrong } = compare(code, file, english)
      print(`${code} (${file.language.name}): ${count - missing.length} of ${count} texts are translated`)
      for (const [what, places] of [
        ['missing', missing],
        ['changed in English since', stale],
        ['no text of this version', unknown],
        ['wrong placeholders, shown in English', wrong],
      ] as const) {
        if (!places.length) continue
        print(`  ${what}: ${places.length}`)
        for (const place of places.slice(0, MOST)) print(`    ${place}`)
        if (places.length > MOST) print(`    … and ${places.length - MOST} more`)
      }
      isFaulty ||= wrong.length > 0
    } catch (error) {
      print(`${code}: the server does not use it: ${(error as Error).message}`)
      isFaulty = true
    }
  }
  return isFaulty ? 1 : 0
}
