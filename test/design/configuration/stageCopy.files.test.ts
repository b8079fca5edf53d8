import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { files, sites, trials } from '#db/tables/index'
import { uploadPath } from '#storage/names'
import { world } from '../../harness'
import { until } from '../../until'
import { configured } from './copy.study'

test('files that the configuration names are copied under new names', async () => {
  const w = world()
  const source = configured(w)
  const copy = await w.owner.do('createTrial', w.team, { name: 'Copy', copyFrom: source.trial })
  const [site] = w.db.select().from(sites).where(eq(sites.trial, copy._id)).all()
  const rows = w.db.select().from(files).where(eq(files.trial, copy._id)).all()
  expect(rows.map(({ forType, forId }) => [forType, forId]).sort()).toEqual(
    [
      ['site', site!._id],
      ['trial', copy._id],
    ].sort(),
  )
  const place = join(w.directory, 'files')
  expect(rows.map(({ storedName }) => readFileSync(uploadPath(place, storedName), 'utf8')).sort()).toEqual(
    [`bytes of ${source.video}`, `bytes of ${source.picture}`].sort(),
  )
  await w.owner.do('deleteTrial', copy._id)
  for (const name of rows.map(({ storedName }) => uploadPath(place, storedName))) {
    await until(() => !existsSync(name)) // removed after the answer
    expect(existsSync(name)).toBe(false)
  }
  for (const name of [source.video, source.picture, source.unused])
    expect(existsSync(uploadPath(place, name))).toBe(true)
})

test('only a trial that the person can read is copied', async () => {
  const w = world()
  const source = configured(w)
  const creator = w.invite(['trials.create'])
  const copy = async (from: string) =>
    (await creator.call('POST', `/teams/${w.team}/trials`, { name: 'Copy', copyFrom: from })).status
  expect(await copy(source.trial)).toBe(404)
  expect(await copy('f'.repeat(24))).toBe(404)
  const grant = (scope: string, keys: string) =>
    w.db.$client.run(
      `INSERT OR REPLACE INTO permissions VALUES ('${creator._id}', '${source.trial}', '${scope}', '["${keys}"]')`,
    )
  grant(source.site, 'site.read')
  expect(await copy(source.trial)).toBe(403)
  expect(w.db.select().from(trials).all()).toHaveLength(1)
  grant(source.trial, 'trial.read')
  expect(await copy(source.trial)).toBe(200)
})
