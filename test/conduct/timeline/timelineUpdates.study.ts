/** Trials with many participants, for tests of timeline updates. */
import { expect } from 'bun:test'
import { verifyProgress } from '#conduct/timeline/verify'
import type { Services } from '#http/services'
import { type Person, world } from '../../harness'

/** A trial with a daily diary and this number of participants, whose progress is up to date. */
export async function largeStudy(people: number, w = world()) {
  const { owner } = w
  const trial: string = (await owner.do('createTrial', w.team, { name: `Diaries of ${people}` }))._id
  const diary = { name: 'Diary', isRecurring: true, recurringFrequency: 1, recurringDuration: 10 }
  const stage: string = (await owner.do('createStage', trial, diary))._id
  const participants = Array.from({ length: people }, (_, n) => ({ participantId: `P-${n}` }))
  const registered = (await owner.do('registerParticipants', trial, { participants })).participants
  await w.service.services.tick()
  const started = async (answer: ReturnType<Person['call']>) => {
    const { status, headers, body } = await answer
    expect([status, body.message]).toEqual([200, undefined])
    return headers.get('x-job')
  }
  return {
    ...w,
    w,
    trial,
    stage,
    people: registered.map(({ _id }) => _id) as string[],
    services: w.service.services,
    /** Makes a change and returns the `_id` of the job in the response header. */
    started,
    /** Changes the stage, which makes everybody's diary shorter. */
    shorten: (by: Person = owner, days = 5) =>
      started(by.call('PUT', `/stages/${stage}`, { recurringDuration: days })) as Promise<string>,
    update: async (by: Person = owner) => (await by.do('readTrial', trial)).timelineUpdate,
    behind: () =>
      w.db.$client
        .query<{ behind: number; people: number }, [string]>(
          `SELECT stagesBehindSchedule AS behind, count(*) AS people FROM participants WHERE trial = ?
           GROUP BY 1 ORDER BY 1`,
        )
        .all(trial),
    /** Expects the stored progress of all participants to match their timelines. */
    isRight: () => expect(verifyProgress(w.db.$client)).toEndWith(' progress follows from their timelines'),
  }
}

/** Does all due work, and calls `between` after each commit. */
export async function tickWith(services: Services, between: () => Promise<unknown>): Promise<void> {
  const { commit } = services
  const pausing = async <T>(run: () => T extends PromiseLike<unknown> ? never : T): Promise<T> => {
    const value = await commit<T>(run)
    services.commit = commit // the commits of `between` are not interrupted themselves
    await between()
    services.commit = pausing
    return value
  }
  services.commit = pausing
  await services.tick()
  services.commit = commit
}

export const pending = (progress: string) => ({ status: 'pending' as const, progress, result: null, error: null })

export const done = (participants: number) => ({
  status: 'done' as const,
  progress: 'Done.',
  result: { participants },
  error: null,
})

export const upToDate = (n: number, all = 120) => `${n} of ${all} participants brought up to date.`
