/** Previews of files of the trial master file (docs/master-file.md, "Preview"). */

import type { Db } from '#db/open'
import { operation } from '#http/operation'
import type { Services } from '#http/services'
import { refuse } from '#kernel/problem'
import { HOUR, type Instant } from '#kernel/time'
import { review } from '#office/files/approvals/scope'
import { downloadName } from '#office/files/rules'
import { file, type VisibleFile } from '#office/files/scope'
import { type VersionRow, versionsOf } from '#office/files/store'
import { Preview } from './model'
import { type Rendering, renderingOf } from './rendering'

/** The latest version that the caller may read. */
const latestVisible = ({ db, file, visibleVersions }: { db: Db } & Pick<VisibleFile, 'file' | 'visibleVersions'>) =>
  versionsOf(db, [{ _id: file._id, visibleVersions }])
    .get(file._id)
    ?.at(-1)

/** The link to a rendering. */
function previewOf({ storage }: Services, version: VersionRow, { name, type }: Rendering, now: Instant): Preview {
  const fileName = name.endsWith('.html') ? `${version.name}.html` : downloadName(version)
  return { url: storage.previewUrl(name, fileName, type, now + HOUR), mimeType: type }
}

const previewOfFile = operation({
  id: 'previewFile',
  method: 'GET',
  path: '/files/:fileId/preview',
  summary: 'Show the latest version of a file in a browser',
  description:
    'Answers a link to a rendering without scripts and without anything from elsewhere. PDF, images, text, csv, docx and xlsx can ' +
    'be shown; other types are refused. A large document is cut, and the rendering says so. Readers with the permission ' +
    'readApprovedFiles alone see the latest approved version.',
  scope: file,
  needs: ['trial.readFiles', 'trial.readApprovedFiles'],
  limit: 120,
  returns: Preview,
  async prepare(context) {
    const version = latestVisible(context)
    if (!version) throw refuse.bad('nothingToShow')
    return { version: version._id, ...(await renderingOf(context.services, version, context.caller)) }
  },
  run: (context) => {
    const { services, now, prepared } = context
    const version = latestVisible(context)
    if (version?._id !== prepared.version) throw refuse.bad('newVersionMeanwhile')
    return previewOf(services, version, prepared, now)
  },
})

const previewOfReview = operation({
  id: 'previewFileReview',
  method: 'GET',
  path: '/file-reviews/:token/preview',
  summary: 'Show the version of a review link in a browser',
  description:
    'As the preview of a file, of the version that is reviewed. Other types are refused: they can be downloaded.',
  who: 'anyone',
  scope: review,
  needs: 'nothing',
  limit: 120,
  failures: 60,
  returns: Preview,
  prepare: ({ services, version, approval }) => renderingOf(services, version, { user: { _id: approval.createdBy } }),
  run: ({ services, now, version, prepared }) => previewOf(services, version, prepared, now),
})

export const filePreviewOperations = [previewOfFile, previewOfReview] as const
