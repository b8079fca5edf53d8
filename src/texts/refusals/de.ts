/** All refusals in German. */

import { access } from '#texts/refusals/de/access'
import { accounts } from '#texts/refusals/de/accounts'
import { conduct } from '#texts/refusals/de/conduct'
import { consents } from '#texts/refusals/de/consents'
import { design } from '#texts/refusals/de/design'
import { exchange } from '#texts/refusals/de/exchange'
import { files } from '#texts/refusals/de/files'
import { general } from '#texts/refusals/de/general'
import { office } from '#texts/refusals/de/office'
import { packs } from '#texts/refusals/de/packs'
import { randomisation } from '#texts/refusals/de/randomisation'
import { server } from '#texts/refusals/de/server'
import { stages } from '#texts/refusals/de/stages'
import { values } from '#texts/refusals/de/values'
import { wearables } from '#texts/refusals/de/wearables'
import { nouns } from '#texts/refusals/nouns/de'
import { de as answers } from '../answers/de'
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
