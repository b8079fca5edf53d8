/** Snapshots of the data of a test server: the database, and whatever else is in its data directory. */
import { copyFileSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase } from '#db/file'
import type { Db } from '#db/open'

/** What belongs to the process, or does not change while it runs. */
const FIXED = /^(lock.*|secrets.*|tls|backups|snapshots)$/
const DATABASE = 'trialbox.db'
const isDatabase = (name: string) => name === DATABASE || name.startsWith(`${DATABASE}-`)

/** Copies a folder as hard links: the files of a study never change once they are there, and links need neither time nor space. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const paths = [join(from, entry.name), join(to, entry.name)] as const
    if (entry.isDirectory()) linkFolder(...paths)
    else linkSync(...paths)
  }
}

/** Copies everything that is not fixed, without the database. Files beside the database are rewritten in place: they are copied. */
function copyOthers(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (FIXED.test(entry.name) || isDatabase(entry.name)) continue
    const paths = [join(from, entry.name), join(to, entry.name)] as const
    if (entry.isDirectory()) linkFolder(...paths)
    else copyFileSync(...paths)
  }
}

/** Saves the state of a data directory in a folder, which is emptied before. Synchronous: no request can come between. */
export function saveDirectory(db: Db, directory: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  copyDatabase(db, join(folder, DATABASE))
  copyOthers(directory, folder)
}

/** Brings a data directory back to a saved state. Its database must be closed. */
export function restoreDirectory(folder: string, directory: string): void {
  for (const name of readdirSync(directory))
    if (!FIXED.test(name)) rmSync(join(directory, name), { recursive: true, force: true })
  copyFileSync(join(folder, DATABASE), join(directory, DATABASE))
  copyOthers(folder, directory)
}
