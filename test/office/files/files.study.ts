/** A trial with two sites, and short forms to upload and to file, which the tests of the master file start from. */
import { expect } from 'bun:test'
import { existsSync } from 'node:fs'
import { permissions } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { uploadPath } from '#storage/names'
import { buildOnce } from '../../buildOnce'
import { putBytes, uploadRequestUrl } from '../../conduct/uploads/uploads.study'
import { type Person, world } from '../../harness'

export type Fields = Record<string, unknown>

export async function masterFile() {
  const { w, made } = await buildOnce('master file', async () => {
    const w = world()
    const { owner, team } = w
    const trial: Id = (await owner.do('createTrial', team, { name: 'Breath study' }))._id
    const north: Id = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
    const south: Id = (await owner.do('createSite', trial, { name: 'South', id: 'S1' }))._id
    return { w, made: { trial, north, south } }
  })
  const { owner, db, service } = w
  const { trial } = made
  const all = `/trials/${trial}/files` as const
  /** Uploads a text, and returns its stored name. */
  async function upload(
    content = 'a scan',
    {
      forType = 'trial',
      forId = trial,
      name = 'Scan 1.PDF',
      by = owner,
    }: {
      forType?: string
      forId?: Id
      name?: string
      by?: Person
    } = {},
  ): Promise<string> {
    const size = Buffer.byteLength(content)
    const { signedRequestURL, fileName } = await by.get(uploadRequestUrl(forType, forId, { name, size }))
    expect((await putBytes(w, signedRequestURL, content)).status).toBe(200)
    return fileName
  }
  return {
    ...w,
    ...made,
    otherTrial: () => w.trial(),
    all,
    upload,
    add: (fields: Fields = {}) => owner.do('createFile', trial, { name: 'Protocol', ...fields }),
    /** Adds a version with this content. */
    version: async (file: Id, content: string, more: Fields = {}, by: Person = owner) =>
      by.do('createFileVersion', file, { name: 'Version', storedName: await upload(content), ...more }),
    /** Gives a person permissions on another scope, too. */
    grant: (who: { _id: Id }, scope: Id, words: string[]) =>
      db.insert(permissions).values({ user: who._id, trial, scope, keys: words }).run(),
    /** What a link answers: the status and the text. */
    async download(url: string) {
      const answer = await w.fetch(url)
      return [answer.status, await answer.text()] as const
    },
    /** Whether the bytes are on the disk. */
    isStored: (storedName: string) => existsSync(uploadPath(service.services.storage.files, storedName)),
    storedNames: (file: Id): string[] =>
      db.$client
        .query<{ storedName: string }, [Id]>('SELECT storedName FROM masterFileVersions WHERE file = ? ORDER BY number')
        .all(file)
        .map(({ storedName }) => storedName),
    mails: () =>
      db.$client.query('SELECT recipient, subject, body FROM outbox ORDER BY _id').all() as Record<
        'recipient' | 'subject' | 'body',
        string
      >[],
    bytesUsed: () =>
      db.$client.query<{ bytes: number }, [Id]>('SELECT bytes FROM uploadTotals WHERE _id = ?').get(trial)?.bytes ?? 0,
    entries: (): { type: string; event: Record<string, unknown> }[] =>
      db.$client
        .query<{ type: string; event: string }, [Id]>(
          `SELECT type, event FROM auditEntries WHERE chain = ? AND (type LIKE '%File' OR type LIKE '%Files' OR type LIKE '%FileVersion')
           ORDER BY number`,
        )
        .all(trial)
        .map(({ type, event }) => ({ type, event: JSON.parse(event) })),
  }
}
