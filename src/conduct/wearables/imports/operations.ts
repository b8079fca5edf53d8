/** Imports of the files that providers of wearables export, by staff and by participants (docs/wearables.md, "Import"). */

import { type ConsentCheck, requireConsent, requireOwnConsent } from '#conduct/consents/required'
import { self } from '#conduct/participantSessions/scope'
import { participant } from '#conduct/participants/scope'
import type { ParticipantRow } from '#conduct/participants/store'
import { zoneOf } from '#conduct/timeline/progress'
import type { HardwareService } from '#conduct/wearables/providers/records'
import { type SavedCounts, saveRecords } from '#conduct/wearables/saveRecords'
import type { Db } from '#db/open'
import type { SharedTrial } from '#design/trials/store'
import { operation } from '#http/operation'
import type { Services } from '#http/services'
import { performForRequest } from '#jobs/perform'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { type StoredFile, usableFile } from '#storage/store'
import { readHardwareFile } from './job'
import { HardwareImport, HardwareImported, StaffHardwareImport } from './model'
import type { HardwareRead } from './task'

type ImportContext = {
  db: Db
  trial: SharedTrial
  participant: ParticipantRow
  body: { service: HardwareService; storedName: string }
}

/** The upload that the body names. @throws 400 if the file is not an upload for this participant, or its upload has not ended */
function uploadOf({ db, participant, body }: ImportContext): StoredFile {
  const file = usableFile(db, body.storedName, 'participant', participant._id)
  if (!file) throw refuse.bad('notUploadedForParticipant')
  return file
}

/** Reads the file in a process with limits. @param by the account that asked for it */
function read(context: ImportContext & { services: Services }, by: Id): Promise<HardwareRead> {
  const { services, trial, participant, body } = context
  const { storedName, name } = uploadOf(context)
  const task = { storedName, name, service: body.service, zone: zoneOf(participant, trial) }
  return performForRequest(services, readHardwareFile, task, { user: { _id: by } })
}

type StoreContext = ImportContext & {
  now: Instant
  prepared: HardwareRead
  record(note: { event: Record<string, unknown> }): void
}

/** Stores what was read, all of it or nothing. @param consent what the check of the consent found */
function storeRecords(context: StoreContext, consent?: ConsentCheck) {
  const { db, now, trial, participant, body, prepared, record } = context
  const { sha256 } = uploadOf(context)
  const owner = {
    trial: trial._id,
    participant: participant._id,
    service: body.service,
    source: 'import',
    now,
  } as const
  const stored: SavedCounts = saveRecords(db, owner, prepared.records)
  const days = prepared.records.map(({ day }) => day).sort()
  const [from, to] = [days[0] ?? null, days.at(-1) ?? null]
  record({ event: { ...body, sha256, ...stored, from, to, ...consent?.event } })
  return { ...stored, from, to, unread: prepared.unread }
}

const description =
  'Upload the file for the participant first. All of it or nothing is stored; what is there already is not stored twice, and a value that differs replaces the one before, which is kept. `unread` says what the file has and the study does not keep.'

const importHardware = operation({
  id: 'importHardwareData',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/hardwareImports',
  summary: 'Import a file that a provider of wearables exported',
  description,
  scope: participant,
  needs: 'trial.writeParticipantStudyData',
  feature: 'wearables',
  changes: 'data',
  logs: 'importHardwareData',
  body: StaffHardwareImport,
  returns: HardwareImported,
  prepare: (context) => {
    requireConsent(context.db, context, [], context.body.withoutConsentReason)
    return read(context, context.caller.user._id)
  },
  run: (context) => {
    const { withoutConsentReason: reason, ...body } = context.body
    return storeRecords({ ...context, body }, requireConsent(context.db, context, [], reason))
  },
})

const importOwnHardware = operation({
  id: 'importOwnHardwareData',
  method: 'POST',
  path: '/participants/hardwareImports',
  summary: 'Import a file that the provider of one’s own wearable exported',
  description,
  who: 'participant',
  scope: self,
  needs: 'nothing',
  feature: 'wearables',
  changes: 'data',
  // Two files are read at once, for everybody.
  limit: 10,
  logs: 'importHardwareData',
  body: HardwareImport,
  returns: HardwareImported,
  prepare: (context) => {
    if (context.participant.isWithdrawn) throw refuse.forbidden('leftNotImported')
    requireOwnConsent(context.db, context)
    return read(context, context.participant._id)
  },
  run: (context) => {
    requireOwnConsent(context.db, context)
    return storeRecords(context)
  },
})

export const hardwareImportOperations = [importHardware, importOwnHardware] as const
