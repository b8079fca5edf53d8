/** Checks who sees which participants, their progress, and that the event log holds all that was done. */
import type { Client } from './client'
import { notArchived } from './enrolment'
import type { Study } from './model'
import type { Entry } from './record'

type ListedParticipant = {
  id: string
  isWithdrawn: boolean
  progress: { ratioComplete: number; stagesBehindSchedule: number }
}

/** All participants that a person sees in the list, over all its pages. */
async function listParticipants(
  client: Client,
  trial: string,
  query = '',
): Promise<{ total: number; everyone: ListedParticipant[] }> {
  const everyone: ListedParticipant[] = []
  for (let page = 1; ; page++) {
    const { participants, total, nextPageAvailable } = await client.get(
      `/trials/${trial}/participants?sort=id&page=${page}${query}`,
    )
    everyone.push(...participants)
    if (!nextPageAvailable) return { total, everyone }
  }
}

/** All participants in the list, over all its pages. */
export const allParticipants = async (client: Client, trial: string): Promise<ListedParticipant[]> =>
  (await listParticipants(client, trial)).everyone

/** Compares progress, lists, logs and counts with the record. @param exports number of exports that were made */
export async function checkTrail(study: Study, exports: number): Promise<void> {
  const { owner, trial, checks, record, members } = study
  await checkProgress(study)
  for (const [site, nurse] of trial.nurses.entries()) {
    const { total, everyone } = await listParticipants(nurse, trial._id)
    const expected = notArchived(study).filter(({ person }) => person.site === site)
    checks.equal('participants a nurse sees', [total, everyone.map(({ id }) => id)], [expected.length, idsOf(expected)])
  }
  const archived = [...members.values()].filter(({ state }) => state === 'archived').length
  const { total } = await listParticipants(owner, trial._id, '&includeArchived=true')
  checks.equal('participants with those archived', total, notArchived(study).length + archived)

  const countOf = async (query: string) => (await owner.get(`/trials/${trial._id}/logs?${query}`)).total
  const { user, participant } = record.submissions
  const events = [...record.entries.values()].filter(({ stage }) => stage === 'adverse').length
  checks.equal('submissions of staff in the log', await countOf('type=submitResponse'), user)
  checks.equal(
    'submissions of participants in the log',
    await countOf('type=submitResponse&userType=participant'),
    participant,
  )
  checks.equal('registrations in the log', await countOf('type=createParticipant'), members.size)
  checks.equal('exports in the log', await countOf('type=exportResponse'), exports)
  checks.equal('refusals of staff in the log', await countOf('type=accessRefused'), record.accessRefused)
  const { responseCount, participantCount } = await owner.get(`/trials/${trial._id}`)
  checks.equal('the counts of the trial', [responseCount, participantCount], [record.entries.size, members.size])
  const { responses } = await owner.get(`/trials/${trial._id}/stages/${trial.stages.adverse}/responses`)
  checks.equal('adverse events', responses.length, events)
}

const idsOf = (members: readonly { person: { participantId: string } }[]) =>
  members.map(({ person }) => person.participantId).sort()

/** Checks everybody's progress. All windows have closed: each missing form is behind schedule, also if withdrawn. */
async function checkProgress(study: Study): Promise<void> {
  const { owner, trial, checks, record, plan } = study
  const done = Map.groupBy(
    [...record.entries.values()].filter(({ stage }: Entry) => stage === 'phq9' || stage === 'gad7'),
    ({ person }) => person.participantId,
  )
  const { everyone } = await listParticipants(owner, trial._id)
  checks.equal('participants in the list', everyone.map(({ id }) => id).sort(), idsOf(notArchived(study)))
  const all = 2 * plan.weeks
  for (const { id, isWithdrawn, progress } of everyone) {
    const completed = done.get(id)?.length ?? 0
    const isGone = study.members.get(id)!.state === 'withdrawn'
    const { ratioComplete, stagesBehindSchedule } = progress
    checks.equal(
      `the progress of ${id}`,
      [isWithdrawn, ratioComplete, stagesBehindSchedule],
      [isGone, completed / all, all - completed],
    )
  }
  const behind = everyone.filter(({ progress }) => progress.stagesBehindSchedule > 0).length
  const { total } = await listParticipants(owner, trial._id, '&scheduleBehind=true')
  checks.equal('participants behind schedule', total, behind)
}
