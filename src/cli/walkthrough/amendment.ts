/** The amendment of the protocol midway: the weekly forms continue for one more week, and remind a day earlier. */
import { setTimeout as wait } from 'node:timers/promises'
import { fault } from '#kernel/fault'
import { progressAtAmendment } from './expected'
import { REMINDER, reminderAfter } from './instruments'
import type { Study } from './model'
import { allParticipants } from './trail'

/** The changes of the amendment, as the comparison of configuration versions names them. */
const CHANGED = [
  ...['GAD-7', 'PHQ-9'].map((title) => `stages["${title}, week %n"].recurringDuration`),
  ...[24, 48].map((hour) => `stages["PHQ-9, week %n"].reminders["${REMINDER.title}", "${hour}"]`),
]

/** In a trial with more participants than this, a job recalculates the timelines. */
const AT_ONCE = 50

/**
 * Changes the weekly stages, and checks that all timelines and the configuration versions follow.
 * @param advance moves the clock a little
 * @returns how many timelines a job recalculated; undefined if no job was needed
 */
export async function amend(study: Study, advance: () => Promise<void>): Promise<number | undefined> {
  const { owner, trial, plan, members, checks } = study
  await checkEverybody(study, plan.weeks - 1)
  const versions = `/trials/${trial._id}/configuration-versions`
  const { number: approved } = await owner.post(versions, { note: 'As approved' })
  const recurringDuration = plan.weeks * 7
  const jobs = new Set<string>()
  for (const [stage, change] of [
    [trial.stages.phq9, { recurringDuration, reminders: reminderAfter(24) }],
    [trial.stages.gad7, { recurringDuration }],
  ] as const) {
    const { headers } = await owner.request('PUT', `/stages/${stage}`, change)
    const job = headers.get('x-job')
    checks.equal('whether a changed stage starts a job', job !== null, members.size > AT_ONCE)
    if (job === null) continue
    jobs.add(job)
    const { timelineUpdate } = await owner.get(`/trials/${trial._id}`)
    if (timelineUpdate) checks.equal('the job that brings timelines up to date', timelineUpdate.jobId, job)
  }
  await advance()
  for (const job of jobs) {
    const { participants } = await resultOf(study, job)
    checks.equal('how many a job brought up to date', participants, members.size)
  }
  checks.equal('what is left of the change', (await owner.get(`/trials/${trial._id}`)).timelineUpdate, null)
  await checkEverybody(study, plan.weeks)
  const { number } = await owner.post(versions, { note: 'Amendment 1' })
  const { changes } = await owner.get(`${versions}/${number}?against=${approved}`)
  checks.equal('what the amendment changed', changes.map(({ path }: { path: string }) => path).sort(), CHANGED)
  return jobs.size ? members.size : undefined
}

/** How long a job may show no progress, in milliseconds. */
const PATIENCE = 60_000

/** Waits for the end of a job and returns its result. @throws a fault if it fails, or shows no progress for a minute */
export async function resultOf({ owner }: Pick<Study, 'owner'>, job: string): Promise<Record<string, unknown>> {
  let progress: unknown
  for (let end = performance.now() + PATIENCE; performance.now() < end; ) {
    const { status, result, error, ...shown } = await owner.get(`/jobs/${job}`)
    if (shown.progress !== progress) end = performance.now() + PATIENCE
    progress = shown.progress
    if (status === 'done') return result
    if (status === 'error') throw fault(`The job ${job} failed: ${error}`)
    await wait(20)
  }
  throw fault(`The job ${job} has shown no progress for a minute.`)
}

/** Compares everybody's progress with the plan. @param weeks how many weeks the configuration has */
async function checkEverybody({ owner, trial, plan, members, checks }: Study, weeks: number): Promise<void> {
  for (const { id, progress } of await allParticipants(owner, trial._id)) {
    const { ratioComplete, stagesBehindSchedule } = progressAtAmendment(plan, members.get(id)!.person, weeks)
    checks.equal(
      `the progress of ${id} with ${weeks} weeks`,
      [progress.ratioComplete, progress.stagesBehindSchedule],
      [ratioComplete, stagesBehindSchedule],
    )
  }
}
