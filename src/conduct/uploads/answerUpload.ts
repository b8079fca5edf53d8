/** Uploads of people who answer by a link, without a sign-in (docs/participants.md, "Files by a link"). */
import { refuseUpload } from '#conduct/responses/refusals'
import type { Configuration } from '#design/configuration/configuration'
import type { Note, RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import type { StoredFile } from '#storage/store'
import type { ValueOf } from '#wire/schema'
import { announceUpload } from './announce'
import type { LinkUploadRequest } from './model'

type Context = Pick<RequestContext, 'db' | 'services' | 'now'> & {
  body: ValueOf<typeof LinkUploadRequest>
  record(note: Note): void
}

/** Requests of one address per minute for such uploads: many people of a clinic may share one. */
export const UPLOADS_PER_MINUTE = 300

/**
 * Announces the upload of an answer to a question of the form.
 * @param link identifies the link through which the file comes
 * @throws 400 for a file that the question does not take, or if there is no room for it; 429 if too many are open
 */
export function uploadForAnswer(
  context: Context,
  form: { configuration: Configuration; stage: Id },
  owner: Pick<StoredFile, 'forType' | 'forId' | 'createdBy'> & { trial: Id },
  link: string,
) {
  const { body, record } = context
  refuseUpload(form, body)
  const upload = announceUpload(context, owner, body, link)
  const { forType, forId, createdBy } = owner
  // Without its name, which becomes part of an answer that may be hidden from readers of the log.
  record({ event: { forType, forId, createdBy, storedName: upload.fileName, size: body.size, type: body.type } })
  return upload
}
