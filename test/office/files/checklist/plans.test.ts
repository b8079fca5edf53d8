/** The checklist reads a bounded number of rows by indexes, however many files a trial has. */
import { expect, test } from 'bun:test'
import { unpackAccess } from '#access/packedAccess'
import { trialById } from '#design/trials/store'
import { newId } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { checklistOf, daysOf } from '#office/files/checklist/checklist'
import { fileTypes } from '#office/files/model'
import { insertFile, insertVersion } from '#office/files/store'
import { reviewsOf } from '#office/masterFile/store'
import { collectStatements, scans } from '../../../plan'
import { present } from '../../../present'
import { checklist } from './checklist.study'

type Study = Awaited<ReturnType<typeof checklist>>

/** Inserts files with an approved version at a place, some of which have expired. */
function fill(c: Study, site: string | null, count: number): void {
  const now = parseInstant(c.now())!
  const by = { createdAt: now, trial: c.trial }
  const bytes = { storedName: 'x', originalName: 'a.pdf', mimeType: 'application/pdf', size: 1, sha256: 'a'.repeat(64) }
  c.db.transaction(() => {
    for (let n = 0; n < count; n++) {
      const type = n % 3 ? 'cv' : fileTypes[n % fileTypes.length]!
      const about = { name: `Document ${n}`, description: null, tags: [`tag ${n}`], assignees: [] }
      const file = { _id: newId(now), ...by, createdBy: c.owner._id, updatedAt: now, site, type, ...about }
      insertFile(c.db, file)
      const who = { uploader: c.owner._id, uploaderName: 'Olga', statusBy: c.owner._id, statusAt: now }
      insertVersion(c.db, {
        ...{ _id: newId(now), ...by, ...bytes, ...who, file: file._id, number: 1, name: 'One', status: 'approved' },
        expiresAt: n % 4 ? null : '2026-01-01',
      })
    }
  })
}

test('no statement of the checklist scans a table, and it shows at most ten files of a record', async () => {
  const c = await checklist()
  for (const site of [null, c.north]) fill(c, site, 200)
  const collector = collectStatements(c.db.$client)
  const trial = present(trialById(c.db, c.trial))
  const access = unpackAccess({
    trial: ['admin', 'readFiles', 'readApprovedFiles', 'readSites', 'listPacks'],
    places: [],
  })
  const reading = { db: c.db, trial, access, ...daysOf(trial, parseInstant(c.now())!) }
  const places = [null, c.north].map((place) => checklistOf(reading, place))
  reviewsOf(c.db, [{ _id: c.trial, isWhole: true }])
  const statements = collector.end()
  expect(statements.length).toBeGreaterThan(25)
  expect(statements.flatMap((sql) => scans(c.db.$client, sql).map((scan) => [scan, sql]))).toEqual([])
  const [, north] = places
  const qualifications = present(north!.entries.find(({ record }) => record.id === 'qualifications'))
  expect([qualifications.state, qualifications.files.length, qualifications.outdated.length]).toEqual([
    'expired',
    10,
    10,
  ])
  const most = places.flatMap(({ entries }) => entries.map(({ files }) => files.length))
  expect(Math.max(...most)).toBe(10)
})
