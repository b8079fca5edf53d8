/** An upload that a kill interrupted. */
import { expect, test } from 'bun:test'
import { afterKill, world } from '../../harness'
import { atSite, putBytes, uploadRequestUrl } from './uploads.study'

test('an upload that was placed and not recorded before a kill is usable with the next try', async () => {
  const here = world()
  const trial = here.trial()
  const { patient } = atSite(here, trial)
  const { signedRequestURL, fileName } = await patient.get(uploadRequestUrl('participant', undefined))
  expect((await putBytes(here, signedRequestURL)).status).toBe(200)
  // What the kill left: the bytes have their name, and the row waits for them.
  here.db.$client.run(`UPDATE files SET finishedAt = NULL, sha256 = NULL, expiresAt = createdAt + 86400000000`)
  const after = afterKill(here)
  const again = () =>
    after.storage(
      new Request(signedRequestURL, { method: 'PUT', body: 'a scan', headers: { 'Content-Type': 'application/pdf' } }),
      { timeout: () => {} },
    )
  // Twice at once: one of them records it.
  const answers = await Promise.all([again(), again()])
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  const row = after.services.db.$client.query(
    'SELECT finishedAt IS NOT NULL AS isDone, length(sha256) AS hash FROM files',
  )
  expect(row.all()).toEqual([{ isDone: 1, hash: 64 }])
  // A later one changes nothing.
  expect((await again()).status).toBe(400)
  expect(row.all()).toEqual([{ isDone: 1, hash: 64 }])
  const file = after.services.storage.downloadUrl(fileName, 'scan.pdf', Number.MAX_SAFE_INTEGER)
  const read = await after.storage(new Request(file), { timeout: () => {} })
  expect([read.status, await read.text()]).toEqual([200, 'a scan'])
})
