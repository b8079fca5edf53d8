/** The kinds of documents whose text is read. */
import { type PreviewKind, previewKindOf } from '#office/files/previews/kinds'

export const textKinds = ['text', 'csv', 'html', 'xlsx', 'docx', 'pdf'] as const
export type TextKind = (typeof textKinds)[number]

const isTextKind = (kind: PreviewKind | undefined): kind is Exclude<PreviewKind, 'image'> =>
  kind !== undefined && kind !== 'image'

/** The kind of an uploaded document; undefined if no text is looked for in it, as in an image or an archive. */
export function textKindOf(upload: { originalName: string; mimeType: string }): TextKind | undefined {
  const kind = previewKindOf(upload)
  if (isTextKind(kind)) return kind
  if (/\.x?html?$/i.test(upload.originalName)) return 'html'
  if (/\.(?:xml|json|ya?ml)$/i.test(upload.originalName)) return 'text'
  const isBare = !/\.[a-z0-9]{1,10}$/i.test(upload.originalName)
  return isBare && /^text\/html\b/i.test(upload.mimeType) ? 'html' : undefined
}
