/** Rows and files of a trial, for tests of trials. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { ForType } from '#conduct/uploads/model'
import { auditEntries, files, groups, participants, sites } from '#db/tables/index'
import { newId } from '#kernel/id'
import { newStoredName, uploadPath } from '#storage/names'
import type { World } from '../../harness'

export const at = 1_772_452_800_000_000

export const entries = (w: World, chain: string) =>
  w.db.select().from(auditEntries).where(eq(auditEntries.chain, chain)).orderBy(auditEntries.number).all()

/** A participant, inserted directly into the database. */
export function enrol(w: World, trial: string, change: Partial<typeof participants.$inferInsert> = {}) {
  const _id = newId(at)
  w.db
    .insert(participants)
    .values({ _id, createdAt: at, trial, id: `P-${_id.slice(-6)}`, idSort: _id, ...change })
    .run()
  return _id
}

export function place(w: World, trial: string) {
  const site = newId(at)
  w.db
    .insert(sites)
    .values({ _id: site, createdAt: at, trial, name: 'North', id: site.slice(-6) })
    .run()
  const group = newId(at)
  w.db.insert(groups).values({ _id: group, createdAt: at, trial, name: 'Arm' }).run()
  return { site, group }
}

/** A finished upload, with its bytes. */
export function upload(w: World, trial: string, forType: ForType, forId: string, finishedAt: number | null = at) {
  const storedName = newStoredName('logo.png', at)
  const path = uploadPath(join(w.directory, 'files'), storedName)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'bytes')
  w.db
    .insert(files)
    .values({
      storedName,
      createdAt: at,
      kind: 'upload',
      trial,
      forType,
      forId,
      createdBy: w.owner._id,
      name: 'logo.png',
      type: 'image/png',
      finishedAt,
    })
    .run()
  return { storedName, path }
}

export const missingGroup = 'f'.repeat(24)
