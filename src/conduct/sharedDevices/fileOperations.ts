/** Takes files of answers that a shared tablet sealed, part by part (docs/shared-tablets.md, "Sealed answers"). */
import { appendEntry } from '#audit/append'
import { requireNotWithdrawn } from '#conduct/heldEntries/hold'
import type { ParticipantRow } from '#conduct/participants/store'
import { insertAnnouncedUpload } from '#conduct/uploads/reservation'
import { storeLastUse } from '#http/lastSeenStore'
import { operation } from '#http/operation'
import type { Services } from '#http/services'
import { Problem, refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { fileByName } from '#storage/store'
import { FILE_LIMIT, VIDEO_LIMIT } from '#storage/upload'
import { checker } from '#wire/check'
import type { ValueOf } from '#wire/schema'
import { FilePart, FileReceived, SealedPart } from './model'
import type { Pass } from './pass'
import { namedTablet } from './scope'
import { sealedFileName } from './sealedFiles'
import type { DeviceRow } from './store'
import { participantOfPass, unseal } from './unseal'

type SealedPartContent = ValueOf<typeof SealedPart> & { by: Pass }

const check = checker(SealedPart)

/** Announces the file, once, as a request for an upload does. @throws 400 if it is too large, or there is no room for it, 429 if too many are open */
function announceFile(
  { db, quotas }: Pick<Services, 'db' | 'quotas'>,
  { _id: participant, trial }: ParticipantRow,
  storedName: string,
  { name, size, type, by }: SealedPartContent,
  now: Instant,
): void {
  const known = fileByName(db, storedName)
  if (known && (known.size !== size || known.type !== type || known.name !== name)) throw refuse.bad('otherFile')
  if (known) return
  const limit = type.startsWith('video/') ? VIDEO_LIMIT : FILE_LIMIT
  if (size > limit) throw refuse.bad('uploadTooLarge', { limit: limit / 1024 ** 2, size })
  const owner = { forType: 'participant', forId: participant } as const
  const declared = { storedName, name, type, size }
  insertAnnouncedUpload({ db, quotas, now }, { ...owner, trial, createdBy: participant }, declared, by.device)
  const event = { ...owner, storedName, size, type, sharedDevice: by.device }
  appendEntry(db, { chain: trial, createdAt: now, type: 'requestUpload', userType: 'participant', participant, event })
}

/** Stores the part. Returns how much of the file has arrived, and whose it is unless they were deleted. @throws 400, 403 (withdrawn) */
async function receivePart(services: Services, device: DeviceRow, envelope: string, now: Instant) {
  const part = unseal<ValueOf<typeof SealedPart>>(services, device, envelope, check)
  const storedName = sealedFileName({ db: services.db, services }, part.by, part.file, part.name)
  const participant = await services.commit(() => {
    const found = participantOfPass(services.db, part.by)
    if (!found) return undefined
    requireNotWithdrawn(found)
    announceFile(services, found, storedName, part, now)
    return found
  })
  if (!participant) return { received: part.size, isComplete: true, whose: undefined }
  const bytes = Buffer.from(part.bytes, 'base64url')
  const received = await receivedFrom(services, storedName, part.from, bytes)
  const whose = { participant: participant._id, storedName }
  return { received, isComplete: received === part.size, whose }
}

/** Stores the bytes, or those of them that are missing. Returns how much of the file there is. */
async function receivedFrom(services: Services, storedName: string, from: number, bytes: Buffer<ArrayBuffer>) {
  const before = await services.storage.receive(storedName, from, bytes).catch(receivedBefore)
  const isWithin = before > from && before < from + bytes.byteLength
  return isWithin ? services.storage.receive(storedName, before, bytes.subarray(before - from)) : before
}

/** What has arrived when another part is next: the tablet goes on there. */
function receivedBefore(reason: unknown): number {
  const received = reason instanceof Problem && reason.status === 409 ? reason.body.details?.received : undefined
  if (typeof received !== 'number') throw reason
  return received
}

const putFilePart = operation({
  id: 'openSharedDeviceFilePart',
  method: 'POST',
  path: '/shared-devices/files',
  summary: 'Hand over a part of a file that a shared tablet has sealed',
  description:
    'The file is an upload of the participant who was signed in when it was sealed; the envelope of the entry refers to it. Parts go in their order. One that was sent before changes nothing: the answer says where to go on. As with envelopes, no sign-in is needed.',
  who: 'anyone',
  scope: namedTablet,
  needs: 'nothing',
  limit: 1200,
  logs: 'openSharedDeviceFilePart',
  body: FilePart,
  maxBodyBytes: 2_100_000,
  returns: FileReceived,
  prepare: ({ services, device, body, now }) => receivePart(services, device, body.envelope, now),
  run: ({ db, device, now, prepared: { whose, ...answer }, record }) => {
    storeLastUse(db, 'sharedDevices', device._id, now)
    const event = { sharedDevice: device._id, received: answer.received }
    if (!whose) record({ event: { ...event, participantDeleted: true } })
    else {
      const { participant, storedName } = whose
      record({ by: { participant }, participant, event: { ...event, storedName } })
    }
    return answer
  },
})

export const sharedDeviceFileOperations = [putFilePart] as const
