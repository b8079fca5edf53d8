import { schemaVersion } from '../../db/open'
import { operation } from '../../http/operation'
import { oneOf, shape, text, whole } from '../../wire/words'

const health = operation({
  method: 'GET',
  path: '/health',
  summary: 'Whether the service runs',
  who: 'anyone',
  returns: shape({ status: oneOf('ok'), version: text(1, 100), schemaVersion: whole(0) }),
  run: ({ house, db }) => ({ status: 'ok', version: house.version, schemaVersion: schemaVersion(db.$client) }),
})

export const healthOperations = [health]
