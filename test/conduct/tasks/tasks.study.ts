/** A board with tasks, which the tests of tasks start from. */
import { expect } from 'bun:test'
import { world } from '../../harness'
import { present, take } from '../../present'

export type Task = Awaited<ReturnType<Awaited<ReturnType<typeof board>>['add']>>

/** A new trial with its board, and staff who may write and read tasks. */
export async function board() {
  const w = world()
  const { owner, db, team, staff } = w
  const trial: string = (await owner.do('createTrial', team, { name: 'Breath study' }))._id
  const all = `/trials/${trial}/tasks` as const
  const lanes = `/trials/${trial}/task-lanes` as const
  const [toDo, doing, done] = take(3, (await owner.do('listTaskLanes', trial)).lanes)
  return {
    ...w,
    trial,
    all,
    lanes,
    ...{ toDo: toDo._id, doing: doing._id, done: done._id },
    writer: staff(trial, ['trial.writeTasks']),
    reader: staff(trial, ['trial.readTasks']),
    add: (title: string, more: Record<string, unknown> = {}) => owner.do('createTask', trial, { title, ...more }),
    /** The listed tasks by the names of their lanes, in order. */
    async shown() {
      const names = new Map((await owner.do('listTaskLanes', trial)).lanes.map(({ _id, name }) => [_id, name]))
      const { tasks } = await owner.do('listTasks', trial)
      const board: Record<string, string[]> = {}
      for (const { title, taskLane, index } of tasks) {
        const lane = (board[names.get(present(taskLane)) as string] ??= [])
        expect(index).toBe(lane.length)
        lane.push(title)
      }
      return board
    },
    laneNames: async () => (await owner.do('listTaskLanes', trial)).lanes.map(({ name }) => name),
    mails: () =>
      db.$client.query('SELECT recipient, subject, body, status FROM outbox ORDER BY _id').all() as Record<
        'recipient' | 'subject' | 'body' | 'status',
        string
      >[],
  }
}
