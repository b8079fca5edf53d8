/** What pages and the service worker get of the languages that a site has added. */
import { brotliCompressSync } from 'node:zlib'
import { addedLanguages, WORKER_NAME } from '#web/kit/language/languages'
import { digest } from './digest'
import { type Html, markup } from './html'
import type { Pack, PackedFile } from './pack'

const files = new Map<string, { file: PackedFile; bytes: Uint8Array<ArrayBuffer> }>()

/** Keeps the texts of the languages to be served, in place of those before. */
export function keepFiles(contents: Iterable<readonly [path: string, text: string]>): void {
  files.clear()
  for (const [path, text] of contents) {
    const plain = Buffer.from(text)
    const bytes = new Uint8Array(brotliCompressSync(plain))
    const type = 'application/json; charset=utf-8'
    const file = { type, start: 0, end: bytes.length, hash: digest(plain), isImmutable: true }
    files.set(path, { file, bytes })
  }
}

/** The file of this path, with a pack that holds only it; undefined if there is none. */
export function addedFile(path: string): { file: PackedFile; pack: Pack } | undefined {
  const found = files.get(path)
  if (!found) return undefined
  const { file, bytes } = found
  return { file, pack: { index: { files: { [path]: file }, entries: {}, assets: {} }, read: () => new Blob([bytes]) } }
}

/** For the head of a page: the languages for its scripts. */
export const languagesMeta = (): Html | undefined => {
  const added = addedLanguages()
  return Object.keys(added).length ? markup`<meta name="languages" content="${JSON.stringify(added)}">\n` : undefined
}

/** The service worker with these languages: a change of theirs makes another worker of it. */
export const workerWithLanguages = (script: string): string =>
  `self.${WORKER_NAME}=${JSON.stringify(JSON.stringify(addedLanguages()))};\n${script}`
