/** The kinds of documents that can be read, by file extension or media type. */

const kinds = ['txt', 'md', 'csv', 'xlsx', 'docx', 'pdf'] as const
export type Kind = (typeof kinds)[number]

const byType: Record<string, Kind> = {
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
}
const byEnd: Record<string, Kind> = { text: 'txt', markdown: 'md', tsv: 'csv' }

/** The kind of a document; undefined if it cannot be read. */
export function kindOf({ name, type }: { name: string; type: string }): Kind | undefined {
  const end = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return kinds.find((kind) => kind === end) ?? byEnd[end] ?? byType[type.split(';')[0]!.trim().toLowerCase()]
}
