/** All refusals in French. */
import { fr as answers } from '../answers/fr'
import { anywhere } from './fr/anywhere'
import { files } from './fr/files'
import { study } from './fr/study'
import { nouns } from './nouns/fr'
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
