import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'
import { submissionsOf } from './queries'

/** Every stored name within a value. */
export function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { fileName } = value as { fileName?: unknown }
  return [...(typeof fileName === 'string' ? [fileName] : []), ...Object.values(value).flatMap(namesIn)]
}

/**
 * Makes the files that a response ever held those of its new owner, so that they do not go with the old one.
 * @param owner a participant, or the response itself while it is nobody's
 */
export function giveFiles(db: Db, response: Id, from: Id, owner: Id): void {
  const names = new Set(submissionsOf(db, response).flatMap(({ values }) => namesIn(JSON.parse(values))))
  const give = db.$client.query(
    `UPDATE files SET forId = ? WHERE storedName = ? AND kind = 'upload' AND forType = 'participant' AND forId = ?`,
  )
  for (const name of names) give.run(owner, name, from)
}
