/** The files of an archive, and the check of an archive against its manifest. */
import { closeSync, openSync } from 'node:fs'
import { fault } from '#kernel/fault'
import { TLS_FILES } from '#server/process/dataDirectory'
import { isStoredName, uploadPath } from '#storage/names'
import { MANIFEST, type Manifest, readManifest } from './manifest'
import { type Entry, entriesOf } from './tar'

/** The maximum size of a manifest, in bytes: enough for more than half a million uploads. */
const LARGEST_MANIFEST = 256 << 20

/** The path of an upload in the archive, the same as in the data directory. */
export const uploadName = (storedName: string): string => uploadPath('files', storedName).replaceAll('\\', '/')

/** Whether a backup may contain a file of this name. No other path is ever written. */
export function isExpected(name: string): boolean {
  if (['secrets', 'trialbox.db', 'trialbox.conf', ...TLS_FILES.map((each) => `tls/${each}`)].includes(name)) return true
  const stored = name.split('/').at(-1)
  return isStoredName(stored) && name === uploadName(stored)
}

/**
 * Reads a whole archive and checks its files against the manifest, which it returns.
 * @param take reads all pieces of a file, and returns their SHA-256
 * @throws a fault that names the first error
 */
export function readArchive(archive: string, take: (entry: Entry) => string): Manifest {
  const found = new Map<string, { size: number; sha256: string }>()
  let manifest: Manifest | undefined
  const file = openSync(archive, 'r')
  try {
    for (const entry of entriesOf(file)) {
      if (manifest) throw fault('The backup is damaged: something follows its end.')
      if (entry.name === MANIFEST) manifest = readManifest(textOf(entry))
      else if (!isExpected(entry.name) || found.has(entry.name))
        throw fault(`This is no backup of Trialbox: it holds "${entry.name}".`)
      else found.set(entry.name, { size: entry.size, sha256: take(entry) })
    }
  } finally {
    closeSync(file)
  }
  if (!manifest) throw fault('The backup is cut short: its manifest is missing.')
  for (const { name, size, sha256 } of manifest.files) {
    const file = found.get(name)
    if (!file) throw fault(`The backup is damaged: ${name} is missing.`)
    if (file.size !== size || file.sha256 !== sha256)
      throw fault(`The backup is damaged: ${name} is not what was kept.`)
    found.delete(name)
  }
  for (const name of found.keys()) throw fault(`The backup is damaged: ${name} is not in its manifest.`)
  return manifest
}

/** The text of a manifest. @throws a fault if it is too long or incomplete */
export function textOf({ size, pieces }: Entry): string {
  if (size > LARGEST_MANIFEST) throw fault('The backup is damaged: its manifest is too long.')
  const bytes = Buffer.concat([...pieces].map((piece) => Buffer.from(piece)))
  if (bytes.length < size) throw fault('The backup is cut short.')
  return bytes.toString()
}

/** Reads a file of an archive without keeping it. Returns its SHA-256. */
export function hashOfEntry({ pieces }: Entry): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}
