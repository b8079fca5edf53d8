import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { FILE_LIMIT, HARDWARE_LIMIT, VIDEO_LIMIT } from '#storage/upload'
import { announceUpload } from './announce'
import { Upload, UploadRequest } from './model'
import { purpose } from './scope'

const ids = { file: 'requestFileUpload', video: 'requestVideoUpload', hardware: 'requestHardwareUpload' } as const
const names = { file: 'file', video: 'video', hardware: 'file that a provider of wearables exported' }

const tooLargeCodes = { file: 'uploadTooLarge', video: 'videoTooLarge', hardware: 'wearableFileTooLarge' } as const

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
    run: (context) => {
      const { caller, trial, owner, lacking, query, record } = context
      if (lacking.length) throw refuse.missingPermission(lacking)
      const { size, type } = query
      if (!type.toLowerCase().startsWith(only)) throw refuse.bad('otherFileType', { start: only })
      if (kind === 'hardware' && owner.forType !== 'participant') throw refuse.bad('wearableFileOwner')
      if (size > limit) throw refuse.bad(tooLargeCodes[kind], { limit: limit / 1024 ** 2, size })
      const createdBy = caller.kind === 'staff' ? caller.user._id : caller.participant
      const upload = announceUpload(context, { ...owner, trial: trial?._id ?? null, createdBy }, query)
      const participant = owner.forType === 'participant' ? owner.forId : undefined
      // Without its name, which becomes part of an answer that may be hidden from readers of the log.
      record({ event: { ...owner, storedName: upload.fileName, size, type }, ...(participant ? { participant } : {}) })
      return upload
    },
  })

export const uploadOperations = [
  upload('file', FILE_LIMIT, ''),
  upload('video', VIDEO_LIMIT, 'video/'),
  upload('hardware', HARDWARE_LIMIT, ''),
] as const
