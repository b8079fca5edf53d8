/** What the random test may do, and how often. */
import { randomBodies } from './random.bodies'
import type { RandomStudy, Row } from './random.study'

type Operation = () => Promise<{ status: number; body: unknown }>

/** Why the random test locks and unlocks. */
export const WHY = 'The study was to be tried at random.'

/** The operations, each with its relative frequency. */
export function randomOperations(random: RandomStudy): readonly (readonly [number, Operation])[] {
  const { study, below, chance, one, some, any, base, moment, maybe } = random
  const { changeTrial, confirmed, nurse, occurrence, pathOf, person, response, staff } = random
  const { owner, trial, ids } = study
  const { answers, components, stageChange } = randomBodies(random)
  let count = 0
  return [
    [30, () => staff().call('PUT', `${person()}/responses/${occurrence()}`, { response: answers() })],
    [4, () => staff().call('PUT', `${person()}/responses/${occurrence()}?draft=true`, { response: answers() })],
    [
      3,
      () =>
        owner.call(
          'DELETE',
          pathOf('drafts', ({ stage, stageRecurrence }) => `draftResponses/${stage}::${stageRecurrence}`),
        ),
    ],
    [6, () => owner.call('DELETE', response(), { reason: 'at random' })],
    [4, () => owner.call('PUT', `${response()}/status`, { status: one(['successful', 'unsuccessful', null]) })],
    [5, () => owner.call('POST', `${response()}/validations`)],
    [2, () => owner.call('DELETE', `${response()}/validations`)],
    [2, () => owner.call('POST', `${response()}/dataTypes/${ids.pulse}/validations`)],
    [2, () => owner.call('DELETE', `${response()}/dataTypes/${ids.pulse}/validations`)],
    [4, () => owner.call('POST', `${response()}/allocations?participant=${any('participants')}`)],
    [2, () => owner.call('DELETE', `${response()}/allocations`)],
    [
      3,
      () =>
        staff().call('POST', `${base}/queries`, {
          response: any('responses'),
          dataType: maybe(ids.pulse),
          text: 'Why?',
        }),
    ],
    [3, () => staff().call('POST', `/queries/${any('queries')}/messages`, { text: 'Because.' })],
    [2, () => owner.call('PUT', `/queries/${any('queries')}`, { status: one(['open', 'answered', 'closed']) })],
    [
      3,
      async () =>
        (await confirmed()).call('POST', `${base}/signatures`, {
          participant: any('participants'),
          meaning: 'Reviewed',
        }),
    ],
    [
      6,
      () =>
        staff().call('POST', `${base}/participants`, {
          participants: Array.from({ length: 1 + below(3) }, () => ({
            participantId: `R-${chance(0.9) ? ++count : 1}`,
          })),
        }),
    ],
    [
      4,
      () =>
        staff().call('POST', `${base}/tasks`, {
          title: `Task ${++count}`,
          ...(chance(0.5) ? { taskLane: any('taskLanes') } : {}),
          ...(chance(0.5) ? { index: below(5) } : {}),
          ...(chance(0.3) ? { status: one(['pending', 'completed']) } : {}),
          ...(chance(0.3) ? { assignees: some([owner._id, nurse._id]) } : {}),
        }),
    ],
    [
      5,
      () =>
        staff().call('PUT', `/tasks/${any('tasks')}`, {
          ...(chance(0.5) ? { taskLane: any('taskLanes') } : {}),
          ...(chance(0.5) ? { index: below(5) } : {}),
          ...(chance(0.3) ? { status: one(['pending', 'completed']) } : {}),
        }),
    ],
    [2, () => staff().call('DELETE', `/tasks/${any('tasks')}`)],
    [1, () => staff().call('POST', `${base}/task-lanes`, { name: `Lane ${++count}`, isCompleteLane: chance(0.3) })],
    [
      2,
      () =>
        staff().call('PUT', `/task-lanes/${any('taskLanes')}`, {
          ...(chance(0.5) ? { index: below(4) } : {}),
          ...(chance(0.5) ? { isCompleteLane: chance(0.5) } : {}),
        }),
    ],
    [2, () => staff().call('DELETE', `/task-lanes/${any('taskLanes')}`)],
    [2, () => owner.call('DELETE', person(), { reason: 'at random' })],
    [
      8,
      () =>
        staff().call('PUT', person(), {
          ...(chance(0.3) ? { isArchived: chance(0.4) } : {}),
          ...(chance(0.3) ? { isWithdrawn: chance(0.4) } : {}),
          ...(chance(0.3) ? { isUnallocated: chance(0.5) } : {}),
          ...(chance(0.3) ? { timezone: one(['Europe/Berlin', 'Pacific/Auckland', 'America/New_York', null]) } : {}),
          ...(chance(0.1) ? { name: 'Anna', email: 'anna@example.org' } : {}),
        }),
    ],
    [
      2,
      () =>
        owner.call('PATCH', `${base}/participants`, {
          updates: [{ participant: any('participants'), isArchived: chance(0.3) }],
        }),
    ],
    [5, () => owner.call(one(['PUT', 'PUT', 'DELETE']), `/groups/${any('groups')}/memberships/${any('participants')}`)],
    [5, () => owner.call(one(['PUT', 'PUT', 'DELETE']), `/sites/${any('sites')}/memberships/${any('participants')}`)],
    [2, () => owner.call('POST', `${base}/groups`, { name: `Arm ${++count}` })],
    [2, () => owner.call('POST', `${base}/sites`, { name: `Site ${++count}`, id: `S${count}` })],
    [1, () => owner.call('DELETE', `/groups/${any('groups')}`)],
    [1, () => owner.call('DELETE', `/sites/${any('sites')}`)],
    [2, () => owner.call('POST', `${person()}/erasure`, { reason: 'at random' })],
    [
      2,
      () =>
        staff().call('POST', `${base}/anchors`, {
          name: `Anchor ${++count}`,
          assignmentRule: one([
            { type: 'manual' },
            { type: 'participant_login' },
            { type: 'stage_completion', stageId: any('stages') },
          ]),
        }),
    ],
    [1, () => owner.call('DELETE', `/anchors/${any('anchors')}`)],
    [4, () => staff().call('PUT', `${person()}/anchors/${any('anchors')}`, { datetime: moment() })],
    [
      1,
      () =>
        staff().call(
          'DELETE',
          pathOf('participantAnchors', ({ anchor }) => `anchors/${anchor}`),
        ),
    ],
    [
      4,
      () =>
        staff().call('POST', `${person()}/stageOverrides`, {
          stage: any('stages'),
          stageRecurrence: below(3),
          enableAt: moment(),
          applyToAllRecurrences: chance(0.3),
        }),
    ],
    [
      2,
      () => {
        const query = ({ stage, stageRecurrence }: Row) =>
          `stageOverrides?stage=${stage}&stageRecurrence=${stageRecurrence}&applyToAllRecurrences=${chance(0.3)}`
        return staff().call('DELETE', pathOf('stageOverrides', query))
      },
    ],
    [
      3,
      () =>
        staff().call('POST', `${base}/stages`, {
          name: `Stage ${++count}`,
          components: components(),
          ...stageChange(),
        }),
    ],
    [6, () => staff().call('PUT', `/stages/${any('stages')}`, stageChange())],
    [1, () => owner.call('DELETE', `/stages/${any('stages')}`)],
    [1, () => owner.call('PUT', `/data-types/${ids.pulse}`, { min: 20 + below(20), isRestricted: chance(0.3) })],
    [1, () => owner.call('PUT', `/data-types/${ids.double}`, { expression: `pulse * ${1 + below(4)}` })],
    [1, () => owner.call('PUT', base, { timezone: one(['Europe/Berlin', 'UTC', null]) })],
    [1, () => owner.call('PUT', base, { behindScheduleNotices: one([[], ['sms'], ['push', 'email']]) })],
    [1, () => changeTrial({ isDatabaseLocked: chance(0.5), databaseLockJustification: WHY })],
    [1, () => changeTrial({ isLocked: chance(0.5), lockJustification: WHY })],
    [1, () => owner.call('PUT', base, { isArchived: chance(0.5) })],
    [
      3,
      async () => {
        const signedIn = await study.signIn(one(['P-1', 'P-2', 'P-10'])).catch(() => undefined)
        if (!signedIn) return owner.call('GET', base)
        return signedIn.call('POST', `/participants/trials/${trial}/stages/${occurrence()}/responses`, answers())
      },
    ],
    [3, () => owner.call('GET', `${person()}/responses`)],
    [1, () => owner.call('GET', `${base}/responses`)],
  ]
}
