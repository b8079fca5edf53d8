/** Files of the trial master file (docs/master-file.md). Neither lock refuses changes of files. */
import { changedFields } from '#audit/changedFields'
import { keptEvent, mailDeletion, performDeletion } from '#design/deletions/keepDeletion'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { SEARCH_PAGE, searchFiles } from '#office/files/search/search'
import { fileEntry, fileFields, fileView, fileViews, requirePlaces } from '#office/files/versions/versions'
import { partial, shape } from '#wire/schema'
import { mailAssignees, requireReaders } from './assignees'
import { newFile } from './creation'
import { FileDeletion, FileDetail, FileFilter, FileInput, FilePage, PAGE } from './model'
import { fileScopeOf, uniqueTags } from './rules'
import { type FileContext, file } from './scope'
import { deleteFile, filesIn, hasBytes, updateFile, versionsOf } from './store'

/** The page of a list with `search`. */
function searchPage(context: FileContext & { query: FileFilter }) {
  const { db, trial, access, query } = context
  const { page = 1, perPage = SEARCH_PAGE } = query
  const request = { trial: trial._id, scope: fileScopeOf(access), filter: query, page, perPage }
  const { rows, matches, nextPageAvailable } = searchFiles(db, request)
  const files = fileViews(context, rows).map((row, at) => ({ ...row, match: matches[at]! }))
  return { files, page, nextPageAvailable }
}

const listFiles = operation({
  id: 'listFiles',
  method: 'GET',
  path: '/trials/:trialId/files',
  summary: 'List the files of the trial master file',
  description:
    'Oldest first, with their versions. Accounts that are limited to sites see the files of these sites. Readers with the ' +
    'permission readApprovedFiles alone see files with an approved version, as if they had no other versions.',
  scope: trial,
  needs: [anywhere('trial.readFiles'), anywhere('trial.readApprovedFiles')],
  query: FileFilter,
  returns: FilePage,
  run: (context) => {
    const { db, trial, access, query } = context
    if (query.search !== undefined) return searchPage(context)
    const { page = 1, perPage = PAGE } = query
    const rows = filesIn(db, trial._id, fileScopeOf(access), query, perPage + 1, (page - 1) * perPage)
    return { files: fileViews(context, rows.slice(0, perPage)), page, nextPageAvailable: rows.length > perPage }
  },
})

const createFile = operation({
  id: 'createFile',
  method: 'POST',
  path: '/trials/:trialId/files',
  summary: 'Create a file, which has no version yet',
  description: 'A file of a site needs the permission for that site; one of the whole trial that for the trial.',
  scope: trial,
  needs: anywhere('trial.writeFiles'),
  logs: 'createFile',
  body: FileInput,
  returns: FileDetail,
  run: (context) => {
    const { body, record } = context
    const { site = null } = body
    requirePlaces(context, [site], 'writeFiles')
    const row = newFile(context, site, body)
    record(fileEntry(row, { after: fileFields(row) }))
    mailAssignees(context, row.name, row.assignees)
    return fileView(context, row)
  },
})

const readFile = operation({
  id: 'readFile',
  method: 'GET',
  path: '/files/:fileId',
  summary: 'Read a file with its versions',
  scope: file,
  needs: ['trial.readFiles', 'trial.readApprovedFiles'],
  returns: FileDetail,
  run: (context) => fileView(context, context.file),
})

const editFile = operation({
  id: 'updateFile',
  method: 'PUT',
  path: '/files/:fileId',
  summary: 'Change the name, type, description, tags or assignees of a file',
  description: 'Its site is fixed, and so are its versions. New assignees get an e-mail.',
  scope: file,
  needs: 'trial.writeFiles',
  logs: 'updateFile',
  body: partial(FileInput),
  returns: FileDetail,
  run: (context) => {
    const { db, now, trial, file, body, record } = context
    const { site = file.site, name, type, description, ...lists } = body
    if (site !== file.site) throw refuse.bad('siteOfFileFixed')
    const assignees = lists.assignees && [...new Set(lists.assignees)]
    const added = (assignees ?? []).filter((user) => !file.assignees.includes(user))
    requireReaders(db, trial, file, added)
    const tags = lists.tags && uniqueTags(lists.tags)
    const after = updateFile(db, file._id, { name, type, description, tags, assignees, updatedAt: now })
    record(fileEntry(file, changedFields(fileFields(file), fileFields(after))))
    mailAssignees(context, after.name, added)
    return fileView(context, after)
  },
})

const removeFile = operation({
  id: 'deleteFile',
  method: 'DELETE',
  path: '/files/:fileId',
  summary: 'Delete a file and all its versions',
  description:
    'An admin can restore them for a time. The audit trail keeps what they were, with their SHA-256. Copies of the file remain.',
  scope: file,
  needs: 'trial.deleteFiles',
  logs: 'deleteFile',
  body: FileDeletion,
  returns: shape({}),
  run: (context) => {
    const { db, file, body, record } = context
    const versions = versionsOf(db, [{ _id: file._id, visibleVersions: 'all' }]).get(file._id) ?? []
    const about = { kind: 'file', subject: file._id, name: file.name, reason: body.reason } as const
    const names = new Set(versions.map(({ storedName }) => storedName))
    const uploads = () => [...names].map((storedName) => ({ storedName, isUsed: hasBytes(db, storedName) }))
    const { deletion } = performDeletion(context, about, () => deleteFile(db, file._id), uploads)
    record(fileEntry(file, { ...body, before: fileFields(file), versions, ...keptEvent(deletion) }))
    mailDeletion(context, [deletion])
    return {}
  },
})

export const fileOperations = [listFiles, createFile, readFile, editFile, removeFile] as const
