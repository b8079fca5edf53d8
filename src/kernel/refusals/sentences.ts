/** Every sentence with which the service refuses something, in English, by its code. Each wing has a file of its own. */
import { access } from './access'
import { accounts } from './accounts'
import { conduct } from './conduct'
import { design } from './design'
import { exchange } from './exchange'
import { files } from './files'
import { general } from './general'
import { office } from './office'
import { packs } from './packs'
import { randomisation } from './randomisation'
import { server } from './server'
import { values } from './values'

export const sentences = {
  ...general,
  ...values,
  ...accounts,
  ...access,
  ...design,
  ...conduct,
  ...office,
  ...randomisation,
  ...packs,
  ...exchange,
  ...files,
  ...server,
} as const
