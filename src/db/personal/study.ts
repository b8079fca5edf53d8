/** What the study does with a participant: randomisation, tasks, packs, incentives, wearables. */
import { OF_PARTICIPANT, type PersonalTables } from './personalTable'

export const study: PersonalTables = {
  allocations: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'randomisation', 'participant', 'number', 'arm', 'stratum'],
      ...['position', 'site', 'pack'],
    ],
    notReported: ['position'],
  },
  dispensations: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'randomisation', 'participant', 'number', 'doseLevel', 'quantity'],
      ...['site', 'replaces', 'reason'],
    ],
  },
  dispensedPacks: {
    rows: `dispensation IN (SELECT _id FROM dispensations WHERE ${OF_PARTICIPANT})`,
    kept: ['dispensation', 'pack', 'trial'],
  },
  unblindings: {
    rows: OF_PARTICIPANT,
    kept: ['_id', 'createdAt', 'trial', 'allocation', 'participant', 'user', 'reason'],
  },
  tasks: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'completedAt', 'trial', 'taskLane', 'index', 'title', 'description'],
      ...['status', 'assignees', 'dueDate', 'participant', 'scored'],
    ],
  },
  packs: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'packType', 'name', 'batchNumber', 'expiryDate', 'extended'],
      ...['assignedToSite', 'availableToAllGroups', 'availableToGroups', 'state', 'participant', 'assignedAt'],
      ...['unitsReturned', 'searchText', 'import', 'key'],
    ],
    notReported: ['searchText', 'key'],
  },
  packEvents: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['pack', '_id', 'createdAt', 'createdBy', 'occurredAt', 'packType', 'type', 'state', 'site', 'fromSite'],
      ...['participant', 'reason', 'units', 'lowestTemperature', 'highestTemperature', 'minutes'],
    ],
  },
  incentives: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'participant', 'brand', 'amount', 'currency', 'status', 'waitsFor'],
      ...['rule', 'stage', 'stageRecurrence', 'issuedAt', 'expiresOn', 'revealedAt', 'detail'],
    ],
    // Without the secret, the code of the card cannot be shown again.
    erased: { secret: 'NULL' },
    notReported: ['secret'],
  },
  incentiveClaims: {
    rows: OF_PARTICIPANT,
    kept: ['rule', 'participant', 'stageRecurrence', 'response', 'createdAt', 'isDue', 'incentive'],
    notReported: ['isDue'],
  },
  wearableConnections: {
    rows: OF_PARTICIPANT,
    // Erasure ends the connections (src/conduct/personalData/operations.ts); the tokens are deleted after the provider was notified.
    kept: [
      ...['participant', 'service', 'trial', 'status', 'connectedAt', 'endedAt', 'scope', 'tokens', 'version'],
      ...['cursor', 'syncedAt', 'dueAt', 'failures', 'problem'],
    ],
    notReported: ['tokens', 'version', 'cursor', 'dueAt', 'failures'],
  },
  wearableSignIns: {
    rows: OF_PARTICIPANT,
    kept: ['participant', 'service', 'secret', 'expiresAt'],
    deleted: true,
    notReported: ['secret'],
  },
  wearableReminders: { rows: OF_PARTICIPANT, kept: ['participant', 'service', 'dueAt', 'sent'], deleted: true },
  hardwareRecords: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'updatedAt', 'trial', 'participant', 'service', 'dataset', 'key', 'day', 'source'],
      ...['measured', 'replaced'],
    ],
  },
}
