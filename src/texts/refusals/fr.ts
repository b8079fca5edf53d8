/** All refusals in French. */

import { anywhere } from '#texts/refusals/fr/anywhere'
import { files } from '#texts/refusals/fr/files'
import { study } from '#texts/refusals/fr/study'
import { nouns } from '#texts/refusals/nouns/fr'
import { fr as answers } from '../answers/fr'
import type { RefusalParts } from './parts'

const sentences = {
  ...anywhere,
  ...study,
  ...files,
} as const

export const fr = {
  sentences,
  nouns,
  answers,
  answer: '«\u00a0{title}\u00a0» {problem}.',
} as const satisfies RefusalParts
