/** A server on a machine whose clock and steady time a test moves. */
import { afterEach } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { problemsIn, staleIn } from '#cli/checks'
import { parseInstant, SECOND } from '#kernel/time'
import type { MessagingConfig } from '#outbox/senders'
import { openService, type Service } from '#server/service'
import { program } from '#start/program'
import { addPeople, mailsIn, reminderStudy } from '../conduct/timeline/reminders.sample'
import { person } from '../person'
import { freshFolder } from './process/folder'

export const noon = parseInstant('2026-03-02T12:00:00Z')!
const open: Service[] = []
afterEach(() => {
  for (const service of open.splice(0)) service.close()
})

/** A data directory with eight people whose reminder is due three hours after noon, on a machine whose clock and steady time the test moves. */
export async function machine(messages: MessagingConfig = {}) {
  const r = await reminderStudy()
  addPeople(r, 7)
  await r.service.services.tick()
  const stranger = r.invite()
  const directory = freshFolder()
  for (const [path, bytes] of r.saved().files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), bytes)
  }
  const at = { wall: noon, steady: 1000 * SECOND, boot: 'one' }
  const lines: string[] = []
  const machine = { now: () => at.wall }
  const steady = { now: () => at.steady, exact: () => at.steady, boot: at.boot }

  /** Starts the server. */
  function start(acceptsClock = false) {
    const faults: unknown[] = []
    const service = openService(program, {
      ...{ directory, publicUrl: 'http://localhost', version: '0.0.0+test', storageKey: 'signs the links of a test' },
      ...{ messages, acceptClock: acceptsClock },
      clock: machine,
      steady: { ...steady, boot: at.boot },
      onClock: (line) => lines.push(line),
      fault: (reason) => faults.push(reason),
    })
    open.push(service)
    const { db } = service.services
    const rows = (sql: string) => db.$client.query<Record<string, unknown>, []>(sql).all()
    return {
      ...{ service, db, faults, rows },
      owner: person(service, r.owner.credentials),
      stranger: person(service, stranger.credentials),
      tick: () => service.services.tick(),
      diaries: () => mailsIn(service).filter(({ subject }) => subject === 'Your diary').length,
      clockMails: () => mailsIn(service).filter(({ subject }) => subject === 'The clock of the server jumped'),
      logged: () =>
        rows(`SELECT type FROM auditEntries WHERE chain = 'service' AND type LIKE '%clock%' ORDER BY _id`).map(
          ({ type }) => type,
        ),
      problems: () => [...problemsIn(db.$client), ...staleIn(db.$client)],
      timelines: () =>
        rows('SELECT _id, progressDueAt, remindersDueAt, stagesBehindSchedule AS behind FROM participants'),
      stop() {
        open.splice(open.indexOf(service), 1)
        service.close()
      },
    }
  }
  return {
    ...{
      at,
      start,
      machine,
      steady,
      lines,
      directory,
      trial: r.trial,
      team: r.team,
      groups: `/trials/${r.trial}/groups` as const,
    },
    pass(by: number) {
      at.wall += by
      at.steady += by
    },
    jump: (by: number) => (at.wall += by),
  }
}
