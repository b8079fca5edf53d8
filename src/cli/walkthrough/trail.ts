/** Checks who sees which participants, their progress, and that the event log holds all that was done. */
import type { Client } from './client'
import { inView } from './enrolment'
import type { Entry } from './ledger'
import type { Study } from './model'

type Listed = { id: string; isWithdrawn: boolean; progress: { ratioComplete: number; stagesBehindSchedule: number } }

/** All participants that a person sees in the list, over all its pages. */
async function listed(client: Client, trial: string, query = ''): Promise<{ total: number; everyone: Listed[] }> {
  const everyone: Listed[] = []
  for (let page = 1; ; page++) {
    const { participants, total, nextPageAvailable } = await client.get(
      `/trials/${trial}/participants?sort=id&page=${page}${query}`,
    )
    everyone.push(...participants)
    if (!nextPageAvailable) return { total, everyone }
  }
}

/** All participants in the list, over all its pages. */
export const everybody = async (client: Client, trial: string): Promise<Listed[]> =>
  (await listed(client, trial)).everyone

/** @param exports number of exports that were made */
export async function checkTrail(study: Study, exports: number): Promise<void> {
  const { owner, trial, witness, ledger, members } = study
  await checkProgress(study)
  for (const [site, nurse] of trial.nurses.entries()) {
    const { total, everyone } = await listed(nurse, trial._id)
    const hers = inView(study).filter(({ person }) => person.site === site)
    witness.agree('participants a nurse sees', [total, everyone.map(({ id }) => id)], [hers.length, idsOf(hers)])
  }
  const archived = [...members.values()].filter(({ state }) => state === 'archived').length
  const { total } = await listed(owner, trial._id, '&includeArchived=true')
  witness.agree('participants with those archived', total, inView(study).length + archived)

  const logged = async (query: string) => (await owner.get(`/trials/${trial._id}/logs?${query}`)).total
  const { user, participant } = ledger.submissions
  const events = [...ledger.entries.values()].filter(({ stage }) => stage === 'adverse').length
  witness.agree('submissions of staff in the log', await logged('type=submitResponse'), user)
  witness.agree(
    'submissions of participants in the log',
    await logged('type=submitResponse&userType=participant'),
    participant,
  )
  witness.agree('registrations in the log', await logged('type=createParticipant'), members.size)
  witness.agree('exports in the log', await logged('type=exportResponse'), exports)
  witness.agree('refusals of staff in the log', await logged('type=accessRefused'), ledger.accessRefused)
  const { responseCount, participantCount } = await owner.get(`/trials/${trial._id}`)
  witness.agree('the counts of the trial', [responseCount, participantCount], [ledger.entries.size, members.size])
  const { responses } = await owner.get(`/trials/${trial._id}/stages/${trial.stages.adverse}/responses`)
  witness.agree('adverse events', responses.length, events)
}

const idsOf = (members: readonly { person: { participantId: string } }[]) =>
  members.map(({ person }) => person.participantId).sort()

/** All windows have closed: what was not filled in is behind schedule, also for withdrawn participants. */
async function checkProgress(study: Study): Promise<void> {
  const { owner, trial, witness, ledger, plan } = study
  const done = Map.groupBy(
    [...ledger.entries.values()].filter(({ stage }: Entry) => stage === 'phq9' || stage === 'gad7'),
    ({ person }) => person.participantId,
  )
  const { everyone } = await listed(owner, trial._id)
  witness.agree('participants in the list', everyone.map(({ id }) => id).sort(), idsOf(inView(study)))
  const all = 2 * plan.weeks
  for (const { id, isWithdrawn, progress } of everyone) {
    const completed = done.get(id)?.length ?? 0
    const isGone = study.members.get(id)!.state === 'withdrawn'
    const { ratioComplete, stagesBehindSchedule } = progress
    witness.agree(
      `the progress of ${id}`,
      [isWithdrawn, ratioComplete, stagesBehindSchedule],
      [isGone, completed / all, all - completed],
    )
  }
  const behind = everyone.filter(({ progress }) => progress.stagesBehindSchedule > 0).length
  const { total } = await listed(owner, trial._id, '&scheduleBehind=true')
  witness.agree('participants behind schedule', total, behind)
}
