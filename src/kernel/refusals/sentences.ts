/** Every sentence with which the service refuses something, in English, by its code. Each wing has a file of its own. */
import { access } from './access'
import { accounts } from './accounts'
import { conduct } from './conduct'
import { consents } from './consents'
import { design } from './design'
import { exchange } from './exchange'
import { files } from './files'
import { general } from './general'
import { office } from './office'
import { packs } from './packs'
import { randomisation } from './randomisation'
import { server } from './server'
import { stages } from './stages'
import { values } from './values'
import { wearables } from './wearables'

export const sentences = {
  ...general,
  ...values,
  ...accounts,
  ...access,
  ...design,
  ...stages,
  ...conduct,
  ...consents,
  ...wearables,
  ...office,
  ...randomisation,
  ...packs,
  ...exchange,
  ...files,
  ...server,
} as const
