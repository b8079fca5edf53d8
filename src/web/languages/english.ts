/** Every text of the pages in English, by catalogue: what a language that a site adds is translated from, and compared with. */
import { nouns } from '#kernel/nouns'
import { sentences } from '#kernel/refusals/sentences'
import { answerTexts } from '#texts/answers/en'
import { instructionTexts } from '#texts/answers/instructions/en'
import { joinParts } from '#texts/refusals/parts'
import { fill } from '#web/form/fillTexts'
import { form } from '#web/form/texts'
import { common } from '#web/kit/language/translator'
import { signIn } from '#web/kit/signIn/texts'
import { consent } from '#web/links/consent/texts'
import { meeting } from '#web/links/meeting/texts'
import { links } from '#web/links/texts'
import { tablet } from '#web/participant/tablet/texts'
import { participant } from '#web/participant/texts'
import { account } from '#web/site/account/texts'
import { site } from '#web/site/texts'

type Texts = Readonly<Record<string, string>>

/** Those of the console by folder: its catalogues are made for browsers. */
const ofConsole = {
  shell: async () => (await import('#web/console/lang/shell/en')).en,
  studies: async () => (await import('#web/console/lang/studies/en')).en,
  participants: async () => (await import('#web/console/lang/participants/en')).en,
  casebook: async () => (await import('#web/console/lang/casebook/en')).en,
  field: async () => (await import('#web/console/lang/field/en')).en,
  queries: async () => (await import('#web/console/lang/queries/en')).en,
} as const

/** The English texts by catalogue, in the order in which they are best translated: what participants see comes first. */
export async function englishTexts(): Promise<ReadonlyMap<string, Texts>> {
  const pages = [common, form, fill, participant, tablet, links, consent, meeting, site, signIn, account]
  const staff = Object.entries(ofConsole).map(([folder, en]) => ({ id: `console/${folder}`, en }))
  const loaded = await Promise.all(
    [...pages, ...staff].map(async ({ id, en }): Promise<[string, Texts]> => [id, await en()]),
  )
  const names = Object.fromEntries(nouns.map((noun) => [noun, noun]))
  return new Map<string, Texts>([
    ...loaded,
    ['form/answers', answerTexts],
    ['form/instructions', instructionTexts],
    ['refusals', joinParts({ sentences, nouns: names, answers: answerTexts, answer: '“{title}” {problem}.' })],
  ])
}
