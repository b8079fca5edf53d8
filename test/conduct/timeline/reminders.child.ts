/** A service that does the due work until it is killed: `bun reminders.child.ts <data directory> <now>`. */
import { openService } from '#server/service'
import { program } from '#start/program'

const [directory, now] = process.argv.slice(2) as [string, string]
const service = openService(program, {
  storageKey: 'sixteen or more bytes',
  directory,
  clock: { now: () => Number(now) },
  publicUrl: 'http://localhost',
  version: '0.0.0+test',
})
for (;;) await service.services.tick()
