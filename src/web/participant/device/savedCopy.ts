/**
 * The copy of an entry that a person saves, for when nothing else works: a zip archive with the answers (`entry.json`) and their
 * files. Staff read `entry.json` in (docs/offline.md, "Saved copies").
 */

import { isKeptFile } from '#web/form/answers/model'
import { safeName } from '#web/kit/files/fileName'
import { LARGEST, storedZip, type ZipPart } from '#web/kit/files/storedZip'
import { database, type QueuedEntry } from './database'
import { entryById } from './entries'

/** A copy of an entry with its files, for the person to keep. @returns undefined if the entry is not there any more */
export async function saveCopy(id: string): Promise<Blob | undefined> {
  const entry = entryById(id)
  return entry && archiveOf(entry)
}

/** @param entry of the person who is signed in */
async function archiveOf({ id, who, occurrence, title, madeAt, answers, problem }: QueuedEntry): Promise<Blob> {
  const files: ZipPart[] = []
  const response: Record<string, unknown> = {}
  let size = 0
  for (const [dataType, { value, createdAt }] of Object.entries(answers)) {
    response[dataType] = { value, createdAt }
    if (!isKeptFile(value)) continue
    const { name, type } = value
    const kept = await (await database()).get('blobs', value.blob)
    size += kept?.bytes.size ?? 0
    // What is not in the archive has no name there.
    const path = kept && size < LARGEST ? `files/${files.length + 1} ${safeName(name)}` : null
    if (kept && path) files.push({ path, content: kept.bytes })
    response[dataType] = { value: { name, type, size: value.size, file: path }, createdAt }
  }
  const [trial, participant] = who.split('/')
  const { code = null, message = null } = problem ?? {}
  const copy = {
    ...{ format: 'trialbox-entry', version: 2, trial, participant, title, madeAt },
    ...{ entry: id, stage: occurrence, response, code, message },
  }
  const text = new Blob([JSON.stringify(copy, null, 2)])
  return storedZip([{ path: 'entry.json', content: text }, ...files], new Date(madeAt))
}
