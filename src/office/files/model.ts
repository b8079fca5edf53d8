/** Files of the trial master file and their versions on the wire (docs/master-file.md, "Files and versions"). */
import { masterFiles, masterFileVersions, masterFileVersionTexts } from '#db/tables/index'
import { Match } from '#office/files/words/model'
import {
  day,
  either,
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  textWithSpaces,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

export const fileTypes = masterFiles.type.enumValues
export const versionStatuses = masterFileVersions.status.enumValues
export type VersionStatus = (typeof versionStatuses)[number]

/** The most versions of one file. */
export const MAX_VERSIONS = 1000
/** The most files that one request creates. */
export const MAX_FILES = 500
/** The most versions that one request copies. */
export const MAX_COPIED = 2000

const name = () => oneLine(2, 100)
const type = () => withDescription('The default is other.', oneOf(...fileTypes))
const tags = () => withDescription('Each once, whatever the case.', list(oneLine(1, 50), 50))
const assignees = () =>
  withDescription('They must be able to read the file. New assignees get an e-mail.', list(id(), 1000))

const about = {
  name: name(),
  type: maybe(type()),
  description: maybe(orNull(text(0, 500))),
  tags: maybe(tags()),
  assignees: maybe(assignees()),
}

/** The field is the same object wherever a file has it, so that a body may carry the file as it was read. */
const site = withDescription(
  'Null for a file of the whole trial. It is fixed at creation: copy a file to another site.',
  orNull(id()),
)

export const FileInput = shape('FileInput', { ...about, site: maybe(site) })
export type FileInput = ValueOf<typeof FileInput>

const storedName = () =>
  withDescription('The stored name of a finished upload for the trial or for the site.', text(1, 200))
const status = () =>
  withDescription('The default is draft. `approved` needs the permission approveFiles.', oneOf(...versionStatuses))
const expiresAt = () =>
  withDescription(
    'The last day on which the document is valid, as of an ethics approval or a certificate.',
    orNull(day()),
  )

export const VersionInput = shape('FileVersionInput', {
  name: maybe(withDescription('By default that of the upload.', name())),
  storedName: storedName(),
  status: maybe(status()),
  expiresAt: maybe(expiresAt()),
})
export type VersionInput = ValueOf<typeof VersionInput>

const sites = (description: string) => withDescription(description, list(orNull(id()), MAX_FILES, 1))

export const BatchInput = shape('FileBatchInput', {
  ...about,
  storedName: storedName(),
  status: maybe(status()),
  expiresAt: maybe(expiresAt()),
  sites: maybe(sites('One independent file for each; null for the whole trial, which is also the default.')),
})

export const CopyInput = shape('FileCopyInput', {
  sites: sites('One independent copy for each; null for the whole trial.'),
  fullHistory: maybe(withDescription('Whether all versions are copied, or only the latest; by default false.', flag())),
})

export const FileDeletion = shape('FileDeletion', {
  reason: maybe(withDescription('It is kept in the audit trail.', text(1, 500))),
})

export const Version = shape('FileVersion', {
  _id: id(),
  number: withDescription('1 for the first version of the file.', whole(1)),
  name: oneLine(1, 300),
  url: withDescription('Downloads the version, for an hour.', text(1, 5000)),
  createdAt: instant(),
  uploader: shape({ _id: id(), name: oneLine(0, 1000) }),
  status: oneOf(...versionStatuses),
  statusAt: withDescription('When the status was set.', instant()),
  statusBy: withDescription('Who set it; of a review that somebody without an account ended, who asked for it.', id()),
  expiresAt: expiresAt(),
  size: withDescription('In bytes.', whole(0)),
  sha256: withDescription('The SHA-256 of the bytes, in hexadecimal.', text(64, 64)),
  mimeType: text(1, 200),
  textState: withDescription(
    'Whether the text in the document was read, so that a search finds it. `waiting`: it will be. `none`: there is no text to read.',
    oneOf(...masterFileVersionTexts.state.enumValues),
  ),
  textProblem: withDescription('Why the text could not be read.', orNull(text(1, 1000))),
  isTextCut: withDescription('Whether the document goes on after the text that a search finds.', flag()),
})

const versions = (description: string) => withDescription(description, list(Version, MAX_VERSIONS))

export const File = shape('File', {
  _id: id(),
  createdAt: instant(),
  createdBy: id(),
  updatedAt: instant(),
  trial: id(),
  site,
  name: name(),
  type: oneOf(...fileTypes),
  description: orNull(text(0, 500)),
  tags: tags(),
  assignees: assignees(),
  versions: versions('In order. Readers with the permission readApprovedFiles alone get approved versions only.'),
})

export const FileDetail = joinShapes(
  'FileDetail',
  File,
  shape({ latestVersion: withDescription('Its status is that of the file.', orNull(Version)) }),
)

/** The most files in a page, and the default. */
export const PAGE = 1000

const ListedFile = joinShapes(
  'ListedFile',
  File,
  shape({ match: maybe(withDescription('In a list with `search`: what was found in the file.', Match)) }),
)

export const Files = shape('Files', { files: list(ListedFile, PAGE) })
export const Versions = shape('FileVersions', { versions: versions('In order.') })

export const FilePage = joinShapes('FilePage', Files, shape({ page: whole(1), nextPageAvailable: flag() }))

export const FileFilter = shape({
  page: maybe(whole(1, 1_000_000)),
  perPage: maybe(
    withDescription(`The default is ${PAGE}; with \`search\` it is 20, and 50 is the most.`, whole(1, PAGE)),
  ),
  type: maybe(oneOf(...fileTypes)),
  site: maybe(withDescription('A site, or `none` for the files of the whole trial.', either(id(), oneOf('none')))),
  status: maybe(
    withDescription('That of the latest version; `none`: without a version.', oneOf(...versionStatuses, 'none')),
  ),
  tag: maybe(withDescription('Whatever the case.', text(1, 50))),
  assignee: maybe(id()),
  term: maybe(withDescription('A part of the name, whatever the case.', textWithSpaces(1, 100))),
  search: maybe(
    withDescription(
      'Words, and phrases in quotation marks, that the file must have: all of them in its name and tags, or all in the name and the ' +
        'text of one version. A word of three or more letters also finds words that begin with it. Case and accents do not ' +
        'matter. With it, a page has at most 50 files, 20 by default: those found by name first, then by tags, then by ' +
        'text; among these, the newest files first.',
      textWithSpaces(1, 200),
    ),
  ),
})
export type FileFilter = ValueOf<typeof FileFilter>
