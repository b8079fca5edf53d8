/** The media types of the files of pages. */
const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webmanifest: 'application/manifest+json; charset=utf-8',
}

/** The media type of a file, by its name. */
export const typeOf = (path: string): string => types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
