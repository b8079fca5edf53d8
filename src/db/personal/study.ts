/** What the study does with a participant: randomisation, tasks, packs, incentives, wearables. */
import { type HeldTables, participant } from './words'

export const study: HeldTables = {
  allocations: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'randomisation', 'participant', 'number', 'arm', 'stratum'],
      ...['position', 'site', 'pack'],
    ],
    unread: ['position'],
  },
  dispensations: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'randomisation', 'participant', 'number', 'doseLevel', 'quantity'],
      ...['site', 'replaces', 'reason'],
    ],
  },
  dispensedPacks: {
    rows: `dispensation IN (SELECT _id FROM dispensations WHERE ${participant})`,
    kept: ['dispensation', 'pack', 'trial'],
  },
  unblindings: {
    rows: participant,
    kept: ['_id', 'createdAt', 'trial', 'allocation', 'participant', 'user', 'reason'],
  },
  tasks: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'completedAt', 'trial', 'taskLane', 'index', 'title', 'description'],
      ...['status', 'assignees', 'dueDate', 'participant', 'scored'],
    ],
  },
  packs: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'packType', 'name', 'batchNumber', 'expiryDate', 'extended'],
      ...['assignedToSite', 'availableToAllGroups', 'availableToGroups', 'state', 'participant', 'assignedAt'],
      ...['unitsReturned', 'searchText', 'import', 'key'],
    ],
    unread: ['searchText', 'key'],
  },
  packEvents: {
    rows: participant,
    kept: [
      ...['pack', '_id', 'createdAt', 'createdBy', 'occurredAt', 'packType', 'type', 'state', 'site', 'fromSite'],
      ...['participant', 'reason', 'units', 'lowestTemperature', 'highestTemperature', 'minutes'],
    ],
  },
  incentives: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'participant', 'brand', 'amount', 'currency', 'status', 'waitsFor'],
      ...['rule', 'stage', 'stageRecurrence', 'issuedAt', 'expiresOn', 'revealedAt', 'detail'],
    ],
    // Without it nobody can show the code of the card any more.
    erased: { secret: 'NULL' },
    unread: ['secret'],
  },
  incentiveClaims: {
    rows: participant,
    kept: ['rule', 'participant', 'stageRecurrence', 'response', 'createdAt', 'isDue', 'incentive'],
    unread: ['isDue'],
  },
  wearableConnections: {
    rows: participant,
    // Erasure ends the connections (src/conduct/personalData/operations.ts); the tokens go when the provider was told.
    kept: [
      ...['participant', 'service', 'trial', 'status', 'connectedAt', 'endedAt', 'scope', 'tokens', 'version'],
      ...['cursor', 'syncedAt', 'dueAt', 'failures', 'problem'],
    ],
    unread: ['tokens', 'version', 'cursor', 'dueAt', 'failures'],
  },
  wearableSignIns: {
    rows: participant,
    kept: ['participant', 'service', 'secret', 'expiresAt'],
    deleted: true,
    unread: ['secret'],
  },
  wearableReminders: { rows: participant, kept: ['participant', 'service', 'dueAt', 'sent'], deleted: true },
  hardwareRecords: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'updatedAt', 'trial', 'participant', 'service', 'dataset', 'key', 'day', 'source'],
      ...['measured', 'replaced'],
    ],
  },
}
