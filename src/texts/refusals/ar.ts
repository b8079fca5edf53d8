/** All refusals in Arabic. */

import { anywhere } from '#texts/refusals/ar/anywhere'
import { files } from '#texts/refusals/ar/files'
import { study } from '#texts/refusals/ar/study'
import { nouns } from '#texts/refusals/nouns/ar'
import { ar as answers } from '../answers/ar'
import type { RefusalParts } from './parts'

const sentences = {
  ...anywhere,
  ...study,
  ...files,
} as const

export const ar = {
  sentences,
  nouns,
  answers,
  answer: '\u200f«{title}» {problem}.',
} as const satisfies RefusalParts
