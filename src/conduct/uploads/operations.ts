import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { DAY, HOUR } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { FILE_LIMIT, HARDWARE_LIMIT, VIDEO_LIMIT } from '#storage/put'
import { insertFile, prolong } from '#storage/store'
import { Upload, UploadRequest } from './model'
import { requireQuota } from './quota'
import { purpose } from './scope'

/**
 * How long the row waits for the bytes. The link is valid for an hour, and an upload that starts in its last minute may take
 * long.
 */
const EXPECTED = DAY

const ids = { file: 'requestFileUpload', video: 'requestVideoUpload', hardware: 'requestHardwareUpload' } as const
const names = { file: 'file', video: 'video', hardware: 'file that a provider of wearables exported' }

/** The operation that requests an upload. @param limit in bytes; @param only the required start of the MIME type */
const upload = (kind: keyof typeof ids, limit: number, only: string) =>
  operation({
    id: ids[kind],
    method: 'GET',
    path: `/uploads/${kind}/request`,
    summary: `Request a link to upload a ${names[kind]}`,
    description:
      'PUT the bytes to `signedRequestURL` with the declared type as Content-Type, then use `fileName` in the object that is created. The link works for an hour.',
    who: ['staff', 'participant'],
    scope: purpose,
    needs: 'nothing',
    writesByGet: true,
    logs: 'requestUpload',
    query: UploadRequest,
    returns: Upload,
    run: ({ db, services, now, caller, trial, owner, lacking, query, record }) => {
      if (lacking.length) throw refuse.lacking(lacking)
      const { name, size, type } = query
      if (!type.toLowerCase().startsWith(only)) throw refuse.bad(`The type of this file must begin with ${only}`)
      if (kind === 'hardware' && owner.forType !== 'participant')
        throw refuse.bad('An export of a wearable is for a participant.')
      if (size > limit)
        throw refuse.bad(`A ${names[kind]} may have at most ${limit / 1024 ** 2} MB; this one has ${size} bytes.`)
      const createdBy = caller.kind === 'staff' ? caller.user._id : caller.participant
      const declared = { ...owner, kind: 'upload', createdBy, name, type, size } as const
      const participant = owner.forType === 'participant' ? owner.forId : undefined
      const expiresAt = now + EXPECTED
      const storedName = query.fileName ?? newStoredName(name, now)
      if (query.fileName === undefined) {
        requireQuota(db, services.quotas, { participant, trial: trial?._id }, size, now)
        insertFile(db, { storedName, createdAt: now, trial: trial?._id ?? null, expiresAt, ...declared })
      } else if (!prolong(db, storedName, declared, now, expiresAt)) throw refuse.missing('unfinished upload')
      // Without its name, which becomes part of an answer that may be hidden from readers of the log.
      record({ event: { ...owner, storedName, size, type }, ...(participant ? { participant } : {}) })
      return { signedRequestURL: services.storage.uploadUrl(storedName, now + HOUR), fileName: storedName }
    },
  })

export const uploadOperations = [
  upload('file', FILE_LIMIT, ''),
  upload('video', VIDEO_LIMIT, 'video/'),
  upload('hardware', HARDWARE_LIMIT, ''),
] as const
