/** Compares the communication log, the tasks and the e-mails to staff with the plan. */
import { forEach } from './client'
import { type Message, messagesTo, tasks } from './expected'
import type { Study } from './model'
import { writersIn } from './threads'

/** A message in the outbox. */
export type Mail = { trial: string | null; participant: string | null; user: string | null; subject: string | null }

type LoggedMessage = {
  participantId: string
  channel: string
  recipient: string
  subject: string
  body: string
  status: string
}

/** The elements as text, sorted, so that their order does not matter. */
const sorted = (list: readonly unknown[]) => list.map((each) => JSON.stringify(each)).sort()

/** Checks that exactly the planned messages were sent, each once, and that each score that needs a task has one. */
export async function checkMessages(study: Study) {
  const { owner, trial, plan, members, checks } = study
  const log: LoggedMessage[] = []
  for (let page = 1, more = true; more; page++) {
    const read = await owner.get(`/trials/${trial._id}/logs/communication?page=${page}`)
    log.push(...read.messages)
    more = read.nextPageAvailable
  }
  const sent = Map.groupBy(log, ({ participantId }) => participantId)
  for (const { person } of members.values()) {
    const { participantId } = person
    checks.equal(
      `the messages to ${participantId}`,
      sorted((sent.get(participantId) ?? []).map(comparableMessage)),
      sorted(messagesTo(plan, person, trial.name)),
    )
  }
  return { messages: log.length, tasks: await checkTasks(study) }
}

const comparableMessage = ({ channel, recipient, subject, body, status }: LoggedMessage): Message => ({
  ...{ channel, recipient, subject, body },
  isReached: status !== 'unreachable',
})

/** Compares the tasks with the plan, completes those of the first week, and compares again. */
async function checkTasks({ owner, trial, plan, members, checks }: Study): Promise<number> {
  const { lanes } = await owner.get(`/trials/${trial._id}/task-lanes`)
  const isComplete = new Map<string, boolean>(
    lanes.map(({ _id, isCompleteLane }: { _id: string; isCompleteLane: boolean }) => [_id, isCompleteLane]),
  )
  const done = [...isComplete].find(([, isCompleteLane]) => isCompleteLane)![0]
  const read = async () => (await owner.get(`/trials/${trial._id}/tasks`)).tasks as Record<string, string>[]
  const planned = tasks(plan, trial.name)
  const expected = (isDone: (day: number) => boolean) =>
    sorted(
      planned.map(({ participantId, title, day }) => {
        return [members.get(participantId)!._id, title, isDone(day) ? 'completed' : 'pending', isDone(day)]
      }),
    )
  const actual = (list: readonly Record<string, string>[]) =>
    sorted(list.map((task) => [task.participant, task.title, task.status, isComplete.get(task.taskLane!)]))
  const before = await read()
  checks.equal(
    'the tasks',
    actual(before),
    expected(() => false),
  )
  const early = new Set(planned.filter(({ day }) => day < 7).map(({ title }) => title))
  await forEach(
    before.filter(({ title }) => early.has(title!)),
    ({ _id }) => owner.put(`/tasks/${_id}`, { taskLane: done }),
  )
  checks.equal(
    'the tasks once some are done',
    actual(await read()),
    expected((day) => day < 7),
  )
  return before.length
}

/** E-mails to staff: for each task and each reply to a query to the owner, for each query to the nurse, for each participant who writes to both. */
export function checkStaffMail(study: Study, outbox: readonly Mail[]): void {
  const { trial, plan, queries, checks } = study
  const toStaff = outbox.filter((mail) => mail.trial === trial._id && mail.participant === null)
  const nurses = new Map(trial.nurseIds.map((user) => [user, true]))
  const owner = toStaff.find(({ user }) => !nurses.has(user!))?.user ?? null
  const expected = [
    ...writersIn(study).flatMap(({ person }) => {
      const subject = `${trial.name}: a message from participant ${person.participantId}`
      return [
        [owner, subject],
        [trial.nurseIds[person.site], subject],
      ]
    }),
    ...tasks(plan, trial.name).map(({ title }) => [owner, title]),
    ...queries.map(({ site }) => [trial.nurseIds[site], `${trial.name}: a query for you`]),
    ...queries.filter(({ status }) => status !== 'open').map(() => [owner, `${trial.name}: a new message on a query`]),
  ]
  checks.equal('the e-mails to staff', sorted(toStaff.map(({ user, subject }) => [user, subject])), sorted(expected))
}
