/** The file storage of the service: signed links and the routes that serve them, with the table of files. */

import { existsSync, linkSync, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { appendEntry } from '#audit/append'
import type { ReadTrail } from '#audit/readTrail'
import type { Commit } from '#db/commit'
import type { Db } from '#db/open'
import { trialById } from '#design/trials/store'
import { commonHeaders } from '#http/answer'
import type { Services } from '#http/services'
import type { Keys } from '#kernel/keyring'
import { found, refuse } from '#kernel/problem'
import type { Clock, Instant } from '#kernel/time'
import { signer } from '#storage/linkSigner'
import { PREVIEWS, signedLinks } from '#storage/links'
import { uploadPath } from '#storage/names'
import { storageRoutes } from '#storage/routes'
import type { Storage } from '#storage/storage'
import { fileByName, finishUpload, type StoredFile } from '#storage/store'
import type { ReceivedUpload } from '#storage/upload'
import { receivePart, removeParts } from '#storage/uploadParts'
import { flushFolder, unfinishedPath } from '#writers/file'
import { readOfFile } from './downloadReads'
import { renderingByName } from './renderings'
import { hasLostReservation, isArrivalDue, recordArrival, reserveRoom } from './reservation'

type StorageOptions = {
  places: { files: string; exports: string }
  /** The current one signs the links, and those of earlier ones stay valid. At least 16 bytes each. */
  key: Keys
  db: Db
  commit: Commit
  clock: Clock
  /** {base_url}. A function, as a server knows its port only after it listens. */
  publicUrl(): string
  version: string
  /** The trail of reads, which has the downloads. */
  reads: ReadTrail
  /** The quotas of uploads. A function, as a test changes them. */
  quotas(): Services['quotas']
}

/** Handles requests to `/storage/*`. */
export type StorageRoute = ReturnType<typeof storageRoutes>

/** The audit entry of a complete upload, with the hash of its content. */
const finishEntry = (
  { trial, forType, forId, storedName, size, sha256, createdBy }: StoredFile,
  createdAt: Instant,
) => ({
  chain: trial ?? (forType === 'team' ? forId : 'service'),
  createdAt,
  type: 'finishUpload',
  userType: 'system' as const,
  ...(forType === 'participant' ? { participant: forId } : {}),
  event: { storedName, size, createdBy, digest: sha256 },
})

/** Opens the storage: the functions for operations, and the route for `/storage/*` (docs/contract.md, "Files"). */
export function openStorage(options: StorageOptions): { storage: Storage; route: StorageRoute } {
  const { places, db, commit, clock, publicUrl, version } = options
  const links = signer(options.key)
  const expected = (name: string) => {
    const file = fileByName(db, name)
    if (file?.kind !== 'upload' || file.size === null) return undefined
    return { size: file.size, type: file.type, isFinished: file.finishedAt !== null }
  }
  const finish = (name: string, received: ReceivedUpload) =>
    commit((): unknown => {
      const now = clock.now()
      // While the bytes arrived, the row may have expired, or another upload with the same link may have finished.
      const file = finishUpload(db, name, received, now)
      if (!file) throw refuse.bad('uploadLinkOver')
      appendEntry(db, finishEntry(file, now))
      return undefined
    })
  const onStart = async (name: string) => {
    if (hasLostReservation(db, name, clock.now()))
      await commit(() => reserveRoom({ db, quotas: options.quotas(), now: clock.now() }, name))
  }
  // A note that is lost costs nothing: the next bytes are noted again, and a disk that takes none refuses the upload too.
  const onBytes = (name: string) => {
    if (isArrivalDue(db, name, clock.now()))
      void commit(() => recordArrival(db, name, clock.now())).catch(() => undefined)
  }
  const storage: Storage = {
    ...places,
    ...signedLinks(links, publicUrl),
    growingExports: new Map(),
    at: (origin, reader) => ({ ...storage, ...signedLinks(links, () => origin, reader) }),
    link(storedName, newName) {
      const path = uploadPath(places.files, newName)
      mkdirSync(dirname(path), { recursive: true })
      linkSync(uploadPath(places.files, storedName), path)
    },
    keepExport(name, storedName) {
      const path = uploadPath(places.files, storedName)
      if (existsSync(path)) return
      mkdirSync(dirname(path), { recursive: true })
      linkSync(join(places.exports, name), path)
      flushFolder(dirname(path))
    },
    receive(storedName, from, bytes) {
      const declared = found(expected(storedName), 'upload')
      const { size, type } = declared
      if (from + bytes.byteLength > size) throw refuse.bad('otherFileSize', { size })
      const request = new Request('http://localhost', { method: 'PUT', headers: { 'Content-Type': type }, body: bytes })
      return receivePart(
        request,
        { bytes: { from, to: from + bytes.byteLength - 1 }, total: size },
        {
          ...{ directory: places.files, storedName, size, type },
          recordedUpload: () => expected(storedName),
          onStart: () => onStart(storedName),
          progress: () => onBytes(storedName),
          finish: (whole) => finish(storedName, whole),
        },
      )
    },
    async remove(storedName) {
      await rm(uploadPath(places.files, storedName), { force: true })
      await removeParts(places.files, storedName)
      await rm(join(places.exports, storedName), { force: true })
      await rm(unfinishedPath(join(places.exports, storedName)), { force: true })
    },
  }
  const route = storageRoutes({
    signer: links,
    directory: places.files,
    clock,
    headers: commonHeaders(version),
    expected,
    onStart,
    onBytes,
    onFinish: finish,
    onSent({ kind, name, reader }, address) {
      const read = kind === PREVIEWS ? undefined : readOfFile(db, name, { reader, address, now: clock.now() })
      if (read) options.reads.record(read)
    },
    file(kind, name) {
      if (kind === PREVIEWS) return renderingByName(db, places, name)
      const file = fileByName(db, name)
      const growth = storage.growingExports.get(name)
      if (!file || (!growth && (file.finishedAt === null || file.size === null))) return undefined
      if (file.trial !== null && trialById(db, file.trial)?.deletedAt) return undefined
      if (file.expiresAt !== null && file.expiresAt <= clock.now()) return undefined
      return {
        path: file.kind === 'export' ? join(places.exports, name) : uploadPath(places.files, name),
        name: file.name,
        type: file.type,
        size: file.size ?? undefined,
        etag: file.sha256 ?? undefined,
        lastModified: file.finishedAt ?? undefined,
        growth,
      }
    },
  })
  return { storage, route }
}
