/** Zip archives of parts that tests change. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unreadable } from '#kernel/fault'
import { replaceFile } from '#writers/file'
import { entriesOf } from '#writers/unzip'
import { zipTo } from '#writers/zip'
import { inFolder } from '../../writers/folder'

/** An archive of these parts. */
export const zipped = (parts: Readonly<Record<string, string>>): Uint8Array =>
  inFolder((folder) => {
    const path = join(folder, 'a.zip')
    replaceFile(path, (output) => {
      const zip = zipTo(output)
      for (const [name, text] of Object.entries(parts)) zip.add(name, text)
      zip.end()
    })
    return new Uint8Array(readFileSync(path))
  })

/** The archive with one of its parts changed. */
export const withPart = (bytes: Uint8Array, name: string, change: (text: string) => string): Uint8Array => {
  const parts = entriesOf(bytes, 64 << 20, unreadable).map((part) => [part.name, Buffer.from(part.read()).toString()])
  const texts: Record<string, string> = Object.fromEntries(parts)
  return zipped({ ...texts, [name]: change(texts[name]!) })
}
