/**
 * The service as it is, on its own socket and a fresh data directory with a trial of 10,000 participants and the W20 stage:
 * `ours.ts <directory>`. Prints its port and the ids.
 */
import { systemClock } from '#kernel/time'
import { listen } from '#server/listen'
import { openService } from '#server/service'
import { seed } from './seed'

const directory = process.argv[2]!
const service = openService({
  directory,
  storageKey: 'sixteen or more bytes',
  clock: systemClock,
  publicUrl: 'http://localhost',
  version: '0.0.0+bench',
})
const seeded = seed(service.services.db, 10_000, systemClock.now())
const { port } = listen(service, { host: '127.0.0.1', port: 0 })
service.start()
console.log(JSON.stringify({ port, ...seeded }))
