/** The kinds of documents that a browser can show, by the extension of the name or the media type. */
export const previewKinds = ['text', 'csv', 'xlsx', 'docx', 'pdf', 'image'] as const
export type PreviewKind = (typeof previewKinds)[number]

const byExtension: Record<string, PreviewKind> = {
  ...{ txt: 'text', text: 'text', md: 'text', markdown: 'text', log: 'text', csv: 'csv', tsv: 'csv' },
  ...{ xlsx: 'xlsx', docx: 'docx', pdf: 'pdf' },
  ...{ png: 'image', jpg: 'image', jpeg: 'image', gif: 'image', webp: 'image' },
}
const byType: Record<string, PreviewKind> = {
  ...{ 'text/plain': 'text', 'text/markdown': 'text', 'text/csv': 'csv', 'application/pdf': 'pdf' },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  ...{ 'image/png': 'image', 'image/jpeg': 'image', 'image/gif': 'image', 'image/webp': 'image' },
}

/**
 * The kind of an uploaded document; undefined if it cannot be shown. An extension that says something else than the media type
 * decides: a program on a reader's machine would go by it, too.
 */
export function previewKindOf({
  originalName,
  mimeType,
}: {
  originalName: string
  mimeType: string
}): PreviewKind | undefined {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(originalName)?.[1]?.toLowerCase()
  const type = mimeType.split(';')[0]!.trim().toLowerCase()
  const own = (from: Record<string, PreviewKind>, key: string) => (Object.hasOwn(from, key) ? from[key] : undefined)
  return extension === undefined ? own(byType, type) : own(byExtension, extension)
}

/** The media type of an image by its first 12 bytes; undefined for anything else. */
export function imageTypeOf(start: Uint8Array): string | undefined {
  const text = Buffer.from(start).toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  return text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP' ? 'image/webp' : undefined
}
