/** The database of the files of answers behind links (docs/participants.md, "Files by a link"). */
import type { DBSchema } from 'idb'
import { createConnection } from '#web/kit/storage/connection'
import type { Address } from './sendFile'

/** `begun` is where a large file goes; `storedName` is set when all of it has arrived. */
export type LinkFile = { id: string; bytes: Blob; begun?: Address; storedName?: string }

interface LinkFilesSchema extends DBSchema {
  files: { key: string; value: LinkFile }
}

export const linkFiles = createConnection<LinkFilesSchema>('trialbox-links', (db) => {
  db.createObjectStore('files', { keyPath: 'id' })
})
