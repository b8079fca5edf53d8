import { schemaVersionOf } from '#db/open'
import { oneOf, shape, text, whole } from '#wire/words'
import { operation } from './operation'

const health = operation({
  id: 'readHealth',
  method: 'GET',
  path: '/health',
  summary: 'Check that the service runs',
  who: 'anyone',
  needs: 'nothing',
  returns: shape({ status: oneOf('ok'), version: text(1, 100), schemaVersion: whole(0) }),
  run: ({ services, db }) => ({
    status: 'ok' as const,
    version: services.version,
    schemaVersion: schemaVersionOf(db),
  }),
})

export const healthOperations = [health] as const
