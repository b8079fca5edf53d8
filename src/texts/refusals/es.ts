/** All refusals in Spanish. */

import { anywhere } from '#texts/refusals/es/anywhere'
import { files } from '#texts/refusals/es/files'
import { study } from '#texts/refusals/es/study'
import { nouns } from '#texts/refusals/nouns/es'
import { es as answers } from '../answers/es'
import type { RefusalParts } from './parts'

const sentences = {
  ...anywhere,
  ...study,
  ...files,
} as const

export const es = {
  sentences,
  nouns,
  answers,
  answer: '«{title}» {problem}.',
} as const satisfies RefusalParts
