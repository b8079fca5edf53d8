/** A trial with reminders, the messages in its outbox, and a process that sends them and is killed. */
import { join } from 'node:path'
import type { Services } from '#http/services'
import { type Id, newId } from '#kernel/id'
import { instantText, parseInstant } from '#kernel/time'
import type { Channel } from '#outbox/status'
import type { Service } from '#server/service'
import { type World, world } from '../../harness'

export type Mail = {
  channel: string
  recipient: string
  subject: string
  body: string
  status: string
  detail: string | null
}

/** All messages, but those that tell administrators of deletions. */
export const mailsIn = ({ services }: Service) =>
  services.db.$client
    .query(
      `SELECT channel, recipient, subject, body, status, detail FROM outbox WHERE coalesce(subject, '') NOT LIKE 'Deleted in %' ORDER BY _id`,
    )
    .all() as Mail[]

export const after3: Record<string, unknown> = {
  hour: 3,
  title: 'Your diary',
  body: 'Please fill in your diary.',
  sendVia: ['email'],
}

/**
 * A trial with a stage that opens at registration and a participant with an e-mail address, at noon of 2 March 2026. It sends
 * no notices about stages behind schedule unless the parameters say so.
 */
export async function reminderStudy(
  stageFields: Record<string, unknown> = {},
  behindScheduleNotices: Channel[] = [],
  at: World = world(),
) {
  const { owner, service } = at
  const trial = at.trial({ name: 'Breath study', behindScheduleNotices })
  const fields = { name: 'Diary', reminders: [after3], ...stageFields }
  const stage = (await owner.do('createStage', trial, fields))._id
  const anna = (await owner.do('registerParticipants', trial, { participantId: 'P-1' }))._id
  const self = `/trials/${trial}/participants/${anna}` as const
  await owner.do('updateParticipant', trial, anna, { email: 'anna@example.org' })
  return {
    ...at,
    trial,
    stage,
    anna,
    self,
    mails: () => mailsIn(service),
    /** Moves the clock forward and does the work that is due by then. */
    async wait(by: number) {
      at.clock(by)
      await service.services.tick()
    },
    complete: () => owner.do('enterResponse', trial, anna, stage, { response: {} }),
    dueAt: () => {
      const row = at.db.$client.query('SELECT remindersDueAt FROM participants WHERE _id = ?').get(anna)
      const { remindersDueAt } = row as { remindersDueAt: number | null }
      return remindersDueAt === null ? null : instantText(remindersDueAt).slice(0, 16)
    },
  }
}

/** Adds this number of participants with an e-mail address, registered at the current time. */
export function addPeople({ db, trial, now }: Pick<World, 'db' | 'now'> & { trial: Id }, count: number): void {
  const at = parseInstant(now())!
  db.$client.transaction(() => {
    const insert = db.$client.query(
      `INSERT INTO participants (_id, createdAt, trial, id, idSort, email) VALUES (?, ?, ?, ?, ?, 'p@example.org')`,
    )
    for (let i = 1; i <= count; i++) insert.run(newId(at), at, trial, `Q-${i}`, `q-${i}`)
  })()
}

/** Sends due messages in a separate process and kills it in the middle. Returns the signal that ended it. */
export async function killSending({ storage }: Services, now: string, isUnderWay: () => boolean) {
  const script = join(import.meta.dir, 'reminders.child.ts')
  const child = Bun.spawn([process.execPath, script, join(storage.files, '..'), `${parseInstant(now)}`])
  while (!isUnderWay()) await Bun.sleep(1)
  child.kill('SIGKILL')
  await child.exited
  return child.signalCode
}
