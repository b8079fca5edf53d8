/** Previews of files of the trial master file (docs/master-file.md, "Preview"). */

import type { Db } from '#db/open'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { HOUR } from '#kernel/time'
import { downloadName } from '#office/files/rules'
import { file, type InFile } from '#office/files/scope'
import { versionsOf } from '#office/files/store'
import { Preview } from './model'
import { renderingOf } from './rendering'

/** The latest version that the caller may read. */
const latestSeen = ({ db, file, sight }: { db: Db } & Pick<InFile, 'file' | 'sight'>) =>
  versionsOf(db, [{ _id: file._id, sight }])
    .get(file._id)
    ?.at(-1)

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
    const version = latestSeen(context)
    if (!version) throw refuse.bad('The file has no version yet: there is nothing to show.')
    return { version: version._id, ...(await renderingOf(context.services, version, context.caller)) }
  },
  run: (context) => {
    const { services, now, prepared } = context
    const version = latestSeen(context)
    if (version?._id !== prepared.version) throw refuse.bad('The file got another version just now: ask again.')
    const { name, type } = prepared
    const fileName = name.endsWith('.html') ? `${version.name}.html` : downloadName(version)
    return { url: services.storage.previewUrl(name, fileName, type, now + HOUR), mimeType: type }
  },
})

export const filePreviewOperations = [previewOfFile] as const
