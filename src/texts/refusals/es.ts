/** All refusals in Spanish. */
import { es as answers } from '../answers/es'
import { anywhere } from './es/anywhere'
import { files } from './es/files'
import { study } from './es/study'
import { nouns } from './nouns/es'
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
