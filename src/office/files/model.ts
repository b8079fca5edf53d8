/** Files of the trial master file and their versions on the wire (docs/master-file.md, "Files and versions"). */
import { masterFiles, masterFileVersions, masterFileVersionTexts } from '#db/tables/index'
import { Match } from '#office/files/words/model'
import * as t from '#wire/schema'

export const fileTypes = masterFiles.type.enumValues
export const versionStatuses = masterFileVersions.status.enumValues
export type VersionStatus = (typeof versionStatuses)[number]

/** The most versions of one file. */
export const MAX_VERSIONS = 1000
/** The most files that one request creates. */
const MAX_FILES = 500
/** The most versions that one request copies. */
export const MAX_COPIED = 2000

const name = () => t.oneLine(2, 100)
const type = () => t.withDescription('The default is other.', t.oneOf(...fileTypes))
const tags = () => t.withDescription('Each once, whatever the case.', t.list(t.oneLine(1, 50), 50))
const assignees = () =>
  t.withDescription('They must be able to read the file. New assignees get an e-mail.', t.list(t.id(), 1000))

const about = {
  name: name(),
  type: t.maybe(type()),
  description: t.maybe(t.orNull(t.text(0, 500))),
  tags: t.maybe(tags()),
  assignees: t.maybe(assignees()),
}

/** The field is the same object wherever a file has it, so that a body may carry the file as it was read. */
const site = t.withDescription(
  'Null for a file of the whole trial. It is fixed at creation: copy a file to another site.',
  t.orNull(t.id()),
)

export const FileInput = t.shape('FileInput', { ...about, site: t.maybe(site) })
export type FileInput = t.ValueOf<typeof FileInput>

const storedName = () =>
  t.withDescription('The stored name of a finished upload for the trial or for the site.', t.text(1, 200))
const status = () =>
  t.withDescription('The default is draft. `approved` needs the permission approveFiles.', t.oneOf(...versionStatuses))
const expiresAt = () =>
  t.withDescription(
    'The last day on which the document is valid, as of an ethics approval or a certificate.',
    t.orNull(t.day()),
  )

export const VersionInput = t.shape('FileVersionInput', {
  name: t.maybe(t.withDescription('By default that of the upload.', name())),
  storedName: storedName(),
  status: t.maybe(status()),
  expiresAt: t.maybe(expiresAt()),
})
export type VersionInput = t.ValueOf<typeof VersionInput>

const sites = (description: string) => t.withDescription(description, t.list(t.orNull(t.id()), MAX_FILES, 1))

export const BatchInput = t.shape('FileBatchInput', {
  ...about,
  storedName: storedName(),
  status: t.maybe(status()),
  expiresAt: t.maybe(expiresAt()),
  sites: t.maybe(sites('One independent file for each; null for the whole trial, which is also the default.')),
})

export const CopyInput = t.shape('FileCopyInput', {
  sites: sites('One independent copy for each; null for the whole trial.'),
  fullHistory: t.maybe(
    t.withDescription('Whether all versions are copied, or only the latest; by default false.', t.flag()),
  ),
})

export const FileDeletion = t.shape('FileDeletion', {
  reason: t.maybe(t.withDescription('It is kept in the audit trail.', t.text(1, 500))),
})

export const Version = t.shape('FileVersion', {
  _id: t.id(),
  number: t.withDescription('1 for the first version of the file.', t.whole(1)),
  name: t.oneLine(1, 300),
  url: t.withDescription('Downloads the version, for an hour.', t.text(1, 5000)),
  createdAt: t.instant(),
  uploader: t.shape({ _id: t.id(), name: t.oneLine(0, 1000) }),
  status: t.oneOf(...versionStatuses),
  statusAt: t.withDescription('When the status was set.', t.instant()),
  statusBy: t.withDescription(
    'Who set it; of a review that somebody without an account ended, who asked for it.',
    t.id(),
  ),
  expiresAt: expiresAt(),
  size: t.withDescription('In bytes.', t.whole(0)),
  sha256: t.withDescription('The SHA-256 of the bytes, in hexadecimal.', t.text(64, 64)),
  mimeType: t.text(1, 200),
  textState: t.withDescription(
    'Whether the text in the document was read, so that a search finds it. `waiting`: it will be. `none`: there is no text to read.',
    t.oneOf(...masterFileVersionTexts.state.enumValues),
  ),
  textProblem: t.withDescription('Why the text could not be read.', t.orNull(t.text(1, 1000))),
  isTextCut: t.withDescription('Whether the document goes on after the text that a search finds.', t.flag()),
})

const versions = (description: string) => t.withDescription(description, t.list(Version, MAX_VERSIONS))

export const File = t.shape('File', {
  _id: t.id(),
  createdAt: t.instant(),
  createdBy: t.id(),
  updatedAt: t.instant(),
  trial: t.id(),
  site,
  name: name(),
  type: t.oneOf(...fileTypes),
  description: t.orNull(t.text(0, 500)),
  tags: tags(),
  assignees: assignees(),
  versions: versions('In order. Readers with the permission readApprovedFiles alone get approved versions only.'),
})

export const FileDetail = t.joinShapes(
  'FileDetail',
  File,
  t.shape({ latestVersion: t.withDescription('Its status is that of the file.', t.orNull(Version)) }),
)

/** The most files in a page, and the default. */
export const PAGE = 1000

const ListedFile = t.joinShapes(
  'ListedFile',
  File,
  t.shape({ match: t.maybe(t.withDescription('In a list with `search`: what was found in the file.', Match)) }),
)

export const Files = t.shape('Files', { files: t.list(ListedFile, PAGE) })
export const Versions = t.shape('FileVersions', { versions: versions('In order.') })

export const FilePage = t.joinShapes('FilePage', Files, t.shape({ page: t.whole(1), nextPageAvailable: t.flag() }))

export const FileFilter = t.shape({
  page: t.maybe(t.whole(1, 1_000_000)),
  perPage: t.maybe(
    t.withDescription(`The default is ${PAGE}; with \`search\` it is 20, and 50 is the most.`, t.whole(1, PAGE)),
  ),
  type: t.maybe(t.oneOf(...fileTypes)),
  site: t.maybe(
    t.withDescription('A site, or `none` for the files of the whole trial.', t.either(t.id(), t.oneOf('none'))),
  ),
  status: t.maybe(
    t.withDescription('That of the latest version; `none`: without a version.', t.oneOf(...versionStatuses, 'none')),
  ),
  tag: t.maybe(t.withDescription('Whatever the case.', t.text(1, 50))),
  assignee: t.maybe(t.id()),
  term: t.maybe(t.withDescription('A part of the name, whatever the case.', t.textWithSpaces(1, 100))),
  search: t.maybe(
    t.withDescription(
      'Words, and phrases in quotation marks, that the file must have: all of them in its name and tags, or all in the name and the ' +
        'text of one version. A word of three or more letters also finds words that begin with it. Case and accents do not ' +
        'matter. With it, a page has at most 50 files, 20 by default: those found by name first, then by tags, then by ' +
        'text; among these, the newest files first.',
      t.textWithSpaces(1, 200),
    ),
  ),
})
export type FileFilter = t.ValueOf<typeof FileFilter>
