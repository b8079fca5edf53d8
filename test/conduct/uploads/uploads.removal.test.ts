import { expect, test } from 'bun:test'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { files } from '#db/tables/index'
import { DAY, HOUR, MINUTE, parseInstant } from '#kernel/time'
import { expiredFiles, unusedExports } from '#server/background/removal'
import { newStoredName, uploadPath } from '#storage/names'
import { insertFile, usableFile } from '#storage/store'
import { world } from '../../harness'
import { putBytes, uploadRequestUrl } from './uploads.study'

test('unfinished uploads and expired exports are deleted; finished uploads stay', async () => {
  const here = world()
  const { db, service, directory } = here
  const trial = here.trial()
  const done = await here.owner.get(uploadRequestUrl('trial', trial))
  const never = await here.owner.get(uploadRequestUrl('trial', trial))
  await putBytes(here, done.signedRequestURL)
  const now = parseInstant(here.now())!
  const storedName = newStoredName('a.xlsx', now)
  await Bun.write(`${directory}/exports/${storedName}`, 'rows')
  insertFile(db, {
    storedName,
    createdAt: now,
    kind: 'export',
    trial,
    forType: 'trial',
    forId: trial,
    createdBy: here.owner._id,
    name: 'a.xlsx',
    type: 'text/plain',
    size: 4,
    finishedAt: now,
    expiresAt: now + HOUR,
  })
  const link = service.services.storage.downloadUrl(storedName, 'a.xlsx', now + 2 * HOUR)
  const rows = () =>
    db
      .select()
      .from(files)
      .all()
      .map((file) => file.storedName)
      .sort()
  const all = [done.fileName, never.fileName, storedName].sort()

  // An upload that started while the link was valid has another hour.
  await expiredFiles.run(service.services, now + 2 * HOUR - 1)
  expect(rows()).toEqual(all)
  expect(await (await here.fetch(link)).text()).toBe('rows')
  await expiredFiles.run(service.services, now + 2 * HOUR)
  expect(rows()).toEqual(all.filter((name) => name !== storedName))
  expect(readdirSync(`${directory}/exports`)).toEqual([])
  await expiredFiles.run(service.services, now + DAY + HOUR - 1)
  expect(rows()).toContain(never.fileName)
  await expiredFiles.run(service.services, now + DAY + HOUR)
  expect(rows()).toEqual([done.fileName])
  expect(existsSync(uploadPath(service.services.storage.files, done.fileName))).toBe(true)
  expect((await putBytes(here, never.signedRequestURL)).status).toBe(404)
})

test('an expired export cannot be downloaded, also before it is deleted', async () => {
  const here = world()
  const now = parseInstant(here.now())!
  const trial = here.trial()
  const storedName = newStoredName('a.csv', now)
  await Bun.write(`${here.directory}/exports/${storedName}`, 'rows')
  const file = {
    storedName,
    createdAt: now,
    kind: 'export' as const,
    forType: 'trial' as const,
    forId: trial,
    createdBy: 'x',
  }
  insertFile(here.db, { ...file, name: 'a.csv', type: 'text/csv', size: 4, finishedAt: now, expiresAt: now + MINUTE })
  const link = here.service.services.storage.downloadUrl(storedName, 'a.csv', now + HOUR)
  here.clock(MINUTE - 1)
  expect((await here.fetch(link)).status).toBe(200)
  here.clock(1)
  expect((await here.fetch(link)).status).toBe(404)
  expect(usableFile(here.db, storedName, 'trial', trial)).toBeUndefined()
})

test('unknown files in the exports folder are deleted after a day by the machine’s clock; known ones stay', async () => {
  const here = world()
  const trial = here.trial()
  const folder = `${here.directory}/exports`
  const now = parseInstant(here.now())!
  const storedName = newStoredName('a.csv', now)
  const file = {
    storedName,
    createdAt: now,
    kind: 'export' as const,
    forType: 'trial' as const,
    forId: trial,
    createdBy: 'x',
  }
  insertFile(here.db, { ...file, name: 'a.csv', type: 'text/csv', size: 4, finishedAt: now, expiresAt: now + HOUR })
  for (const name of [storedName, 'old', 'new']) await Bun.write(`${folder}/${name}`, 'rows')
  const longAgo = new Date('2020-01-01')
  for (const name of [storedName, 'old']) utimesSync(`${folder}/${name}`, longAgo, longAgo)
  await unusedExports.run(here.service.services, now)
  expect(readdirSync(folder).sort()).toEqual([storedName, 'new'].sort())
})
