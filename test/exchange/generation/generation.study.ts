/** Generation of studies from descriptions, for tests. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { files } from '#db/tables/index'
import { newStoredName, uploadPath } from '#storage/names'
import type { World } from '../../harness'
import { until } from '../../until'

export const prompt =
  '# Visit 1\n1. Weight (kg)\n2. Do you smoke?\n3. Cigarettes per day (0-100)\n\n# Diary, daily for 7 days\n- Pain (0–10)'

/** The job after its end. */
export async function ended(who: World['owner'], jobId: string) {
  await until(async () => (await who.do('readJob', jobId)).status !== 'pending')
  return who.do('readJob', jobId)
}

/** Puts a finished upload into the data directory. */
export async function upload(
  w: World,
  name: string,
  content: Uint8Array | string,
  change: Partial<typeof files.$inferInsert> = {},
) {
  const storedName = newStoredName(name, 0)
  const path = uploadPath(join(w.directory, 'files'), storedName)
  mkdirSync(dirname(path), { recursive: true })
  await Bun.write(path, content)
  const owner = { forType: 'team' as const, forId: w.team, createdBy: w.owner._id }
  w.db
    .insert(files)
    .values({
      storedName,
      createdAt: 0,
      kind: 'upload',
      ...owner,
      name,
      type: 'application/octet-stream',
      size: 1,
      finishedAt: 1,
      ...change,
    })
    .run()
  return storedName
}
