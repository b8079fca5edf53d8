/** What wearables measured of a participant, and which accounts they have connected, for staff (docs/wearables.md). */
import { participant } from '#conduct/participants/scope'
import { operation } from '#http/operation'
import { pagePositionText, readPagePosition } from '#kernel/pagePosition'
import { Connections, HardwareQuery, HardwareResponses, PAGE } from './model'
import { connectionsOf, recordsOf } from './store'
import { allConnections, recordView } from './views'

const readHardwareResponses = operation({
  id: 'readHardwareResponses',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/hardwareResponses',
  summary: 'Read what the wearables of a participant measured',
  description: `By dataset and day, ${PAGE} records a page; \`next\` is the \`after\` of the next page.`,
  scope: participant,
  needs: 'trial.readParticipantStudyData',
  feature: 'wearables',
  query: HardwareQuery,
  returns: HardwareResponses,
  run: ({ db, participant, query: { dataset, after, limit = PAGE } }) => {
    const place = readPagePosition(after, 3)
    const rows = recordsOf(db, participant._id, {
      dataset,
      limit: limit + 1,
      after: place && { dataset: place[0]!, day: place[1]!, _id: place[2]! },
    })
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    return {
      hardwareResponses: shown.map(recordView),
      next: last ? pagePositionText([last.dataset, last.day, last._id]) : null,
    }
  },
})

const readConnections = operation({
  id: 'readWearableConnections',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/connections',
  summary: 'Read which wearables a participant has connected, and whether their data arrives',
  scope: participant,
  needs: 'trial.readParticipants',
  feature: 'wearables',
  returns: Connections,
  run: ({ db, participant }) => ({ connections: allConnections(connectionsOf(db, participant._id)) }),
})

export const wearableOperations = [readHardwareResponses, readConnections] as const
