import { kindOf } from '#design/generation/kinds'
import type { GenerationTask } from '#design/generation/task'
import type { GeneratedPlan } from '#exchange/generation/reader/plan'
import { readProtocol as readByRules, type Source } from '#exchange/generation/reader/read'
import { LONGEST_TEXT, refusalOf, textOf } from '#exchange/generation/text/extract'
import { requireSize } from '#exchange/imports/common/bounds'
import type { Work } from '#jobs/work'
import { isUnreadable } from '#kernel/fault'
import { refuse } from '#kernel/problem'
import { uploadBytes } from '#storage/uploadContent'
import { askForPlan } from './ai'

/** The largest document that is read, in bytes. */
const LARGEST = 64 << 20

/**
 * Reads a description and documents to a plan, which the main thread applies; with the AI endpoint if one is
 * configured, else by rules.
 */
export const protocolWork: Work<GenerationTask, { plan: GeneratedPlan }> = async (
  { prompt, files },
  { setup, progress },
) => {
  const sources: (string | Source)[] = [prompt]
  for (const [n, file] of files.entries()) {
    progress(`Reading “${file.name}” (${n + 1} of ${files.length}).`)
    sources.push({ name: file.name, text: await refuseUnreadable(textIn(setup.files, file)) })
  }
  const text = sources.map((source) => (typeof source === 'string' ? source : source.text)).join('\n\n')
  if (text.length > LONGEST_TEXT) throw refuse.bad('textsTooLong', { most: LONGEST_TEXT })
  progress('Looking for forms, visits and questions.')
  const planned = async () =>
    requireSize(setup.ai ? await askForPlan(setup.ai, text, progress) : readByRules(...sources))
  return { plan: await refuseUnreadable(planned()) }
}

async function textIn(folder: string, file: GenerationTask['files'][number]): Promise<string> {
  const bytes = await uploadBytes(folder, file.storedName, LARGEST, refusalOf(file.name))
  return textOf(file.name, kindOf(file) ?? 'txt', bytes)
}

/** What was read. 400 with a sentence that says why it cannot be. */
const refuseUnreadable = <T>(read: Promise<T>): Promise<T> =>
  read.catch((error) => {
    throw isUnreadable(error) ? refuse.bad(error.reason) : error
  })
