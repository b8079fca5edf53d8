/** Every text of the pages in English, by catalogue: what a language that a site adds is translated from, and compared with. */
import { nouns } from '#kernel/nouns'
import { sentences } from '#kernel/refusals/sentences'
import { answerTexts } from '#texts/answers/en'
import { instructionTexts } from '#texts/answers/instructions/en'
import { joinParts } from '#texts/refusals/parts'
import { fill } from '#web/form/fillTexts'
import { form } from '#web/form/texts'
import { common } from '#web/kit/language/translator'
import { consent } from '#web/links/consent/texts'
import { meeting } from '#web/links/meeting/texts'
import { links } from '#web/links/texts'
import { tablet } from '#web/participant/tablet/texts'
import { participant } from '#web/participant/texts'
import { account } from '#web/site/account/texts'
import { site } from '#web/site/texts'

type Texts = Readonly<Record<string, string>>

/** What the app keeps on a device for when there is no connection, by catalogue. */
export const OFFLINE = ['kit', 'form', 'form/fill', 'form/answers', 'form/instructions', 'participant']

/** The English texts by catalogue, in the order in which they are best translated: what participants see comes first. */
export async function englishTexts(): Promise<ReadonlyMap<string, Texts>> {
  const pages = [common, form, fill, participant, tablet, links, consent, meeting, site, account]
  const loaded = await Promise.all(pages.map(async ({ id, en }): Promise<[string, Texts]> => [id, await en()]))
  const names = Object.fromEntries(nouns.map((noun) => [noun, noun]))
  return new Map<string, Texts>([
    ...loaded,
    ['form/answers', answerTexts],
    ['form/instructions', instructionTexts],
    ['refusals', joinParts({ sentences, nouns: names, answers: answerTexts, answer: '“{title}” {problem}.' })],
  ])
}
