/** Checks whether an uploaded file fits its field. */
import { FILE_LIMIT } from '#storage/upload'
import type { FieldSettings } from './model'
import { type AnswerProblem, outsideSettings } from './problems'

/** The MIME types of formats that accept only their own kind of file unless `mimeTypes` is set. */
const ownKind: Partial<Record<FieldSettings['format'], string[]>> = { image: ['image/*'], video: ['video/*'] }

/** "3 MB", "1.5 KB", "5 bytes": rounded down, so that a file of the size shown is allowed. */
function sizeText(bytes: number): string {
  const [unit, size] = bytes >= 1 << 20 ? ['MB', 1 << 20] : bytes >= 1 << 10 ? ['KB', 1 << 10] : ['bytes', 1]
  return `${Math.floor((bytes / size) * 10) / 10} ${unit}`
}

/**
 * Returns the problem of an uploaded file for a field of format file, image or video; undefined if there is none.
 * @param file `type`: the MIME type as declared at upload; `size`: in bytes
 */
export function fileProblem(settings: FieldSettings, file: { type: string; size: number }): AnswerProblem | undefined {
  const types = settings.mimeTypes?.length ? settings.mimeTypes : ownKind[settings.format]
  const type = file.type.toLowerCase().split(';')[0]!.trim()
  const fits = (allowed: string) =>
    allowed.endsWith('/*') ? type.startsWith(allowed.slice(0, -1).toLowerCase()) : type === allowed.toLowerCase()
  if (types && !types.some(fits)) return outsideSettings('fileType', { types: types.join(' or ') })
  // A larger one was uploaded as an export of a wearable.
  if (!type.startsWith('video/') && file.size > FILE_LIMIT)
    return outsideSettings('fileSize', { size: sizeText(FILE_LIMIT) })
  if (settings.maxSize != null && file.size > settings.maxSize)
    return outsideSettings('fileSize', { size: sizeText(settings.maxSize) })
  return undefined
}
