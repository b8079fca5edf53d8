/** Versions of files, and operations that make several files at once (docs/master-file.md). */
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { mailAssignees } from '#office/files/assignees'
import { requireBytes } from '#office/files/bytes'
import { copyFile, newFile } from '#office/files/creation'
import { BatchInput, CopyInput, Files, MAX_COPIED, Version, VersionInput, Versions } from '#office/files/model'
import { file } from '#office/files/scope'
import { fileById, versionsOf } from '#office/files/store'
import { addVersion, fileEntry, fileFields, fileViews, keysFor, requirePlaces, versionViewer } from './versions'

const createFiles = operation({
  id: 'createFiles',
  method: 'POST',
  path: '/trials/:trialId/files/batch',
  summary: 'Create a file with a first version, for each of several sites',
  description: 'The files are independent of each other. All of them are created or none.',
  scope: trial,
  needs: anywhere('trial.writeFiles'),
  logs: 'createFiles',
  body: BatchInput,
  returns: Files,
  run: (context) => {
    const { db, body, record } = context
    const { sites, storedName, status, expiresAt, ...fields } = body
    const places = [...new Set(sites ?? [null])]
    requirePlaces(context, places, ...keysFor(status))
    requireBytes(context, places, storedName)
    let bytes = storedName
    const rows = places.map((site) => {
      const row = newFile(context, site, fields, status === 'approved' ? 1 : null)
      const version = addVersion(context, row, { name: body.name, storedName: bytes, status, expiresAt })
      bytes = version.storedName // the files share them, also if the first one had to copy them
      record({ type: 'createFiles', ...fileEntry(row, { after: fileFields(row), version }) })
      return fileById(db, row._id)!
    })
    mailAssignees(context, body.name, [...new Set(fields.assignees)])
    return { files: fileViews(context, rows) }
  },
})

const copyFiles = operation({
  id: 'copyFile',
  method: 'POST',
  path: '/files/:fileId/copy',
  summary: 'Copy a file to sites',
  description:
    'The copies are independent of the file and of each other, and keep who uploaded each version and when. An approved version ' +
    'stays approved where the caller may approve files; elsewhere it becomes a draft. Copies have no assignees.',
  scope: file,
  needs: anywhere('trial.writeFiles'),
  logs: 'copyFile',
  body: CopyInput,
  returns: Files,
  run: (context) => {
    const { db, file, visibleVersions, body, record } = context
    const places = [...new Set(body.sites)]
    requirePlaces(context, places, 'writeFiles')
    const all = versionsOf(db, [{ _id: file._id, visibleVersions }]).get(file._id) ?? []
    const versions = body.fullHistory ? all : all.slice(-1)
    const count = places.length * versions.length
    if (count > MAX_COPIED) throw refuse.bad('tooManyCopies', { most: MAX_COPIED, count })
    const rows = places.map((site) => {
      const row = copyFile(context, file, versions, site)
      record({ type: 'copyFile', ...fileEntry(row, { after: fileFields(row), versions: versions.length }) })
      return row
    })
    return { files: fileViews(context, rows) }
  },
})

const listVersions = operation({
  id: 'listFileVersions',
  method: 'GET',
  path: '/files/:fileId/versions',
  summary: 'List the versions of a file in order',
  scope: file,
  needs: ['trial.readFiles', 'trial.readApprovedFiles'],
  returns: Versions,
  run: (context) => {
    const { db, file, visibleVersions } = context
    const versions = versionsOf(db, [{ _id: file._id, visibleVersions }]).get(file._id) ?? []
    return { versions: versions.map(versionViewer(context, versions)) }
  },
})

const createVersion = operation({
  id: 'createFileVersion',
  method: 'POST',
  path: '/files/:fileId/versions',
  summary: 'Add a version to a file',
  description:
    'Versions are not changed afterwards; only their status may be decided. The file has the status of its latest version.',
  scope: file,
  needs: 'trial.writeFiles',
  logs: 'createFileVersion',
  body: VersionInput,
  returns: Version,
  run: (context) => {
    const { file, body, record } = context
    requirePlaces(context, [file.site], ...keysFor(body.status))
    requireBytes(context, [file.site], body.storedName)
    const version = addVersion(context, file, body)
    record(fileEntry(file, { after: version }))
    return versionViewer(context, [version])(version)
  },
})

export const fileVersionOperations = [createFiles, copyFiles, listVersions, createVersion] as const
