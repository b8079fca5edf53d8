/** All refusals in German. */
import { de as answers } from '../answers/de'
import { access } from './de/access'
import { accounts } from './de/accounts'
import { conduct } from './de/conduct'
import { consents } from './de/consents'
import { design } from './de/design'
import { exchange } from './de/exchange'
import { files } from './de/files'
import { general } from './de/general'
import { office } from './de/office'
import { packs } from './de/packs'
import { randomisation } from './de/randomisation'
import { server } from './de/server'
import { stages } from './de/stages'
import { values } from './de/values'
import { wearables } from './de/wearables'
import { nouns } from './nouns/de'
import type { RefusalParts } from './parts'

const sentences = {
  ...access,
  ...accounts,
  ...conduct,
  ...consents,
  ...design,
  ...exchange,
  ...files,
  ...general,
  ...office,
  ...packs,
  ...randomisation,
  ...server,
  ...stages,
  ...values,
  ...wearables,
} as const

export const de = {
  sentences,
  nouns,
  answers,
  answer: '„{title}“ {problem}.',
} as const satisfies RefusalParts
