/** All refusals in Arabic. */
import { ar as answers } from '../answers/ar'
import { anywhere } from './ar/anywhere'
import { files } from './ar/files'
import { study } from './ar/study'
import { nouns } from './nouns/ar'
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
