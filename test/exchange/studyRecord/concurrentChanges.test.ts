/** What happens to a study while its record is written, and records that do not end (docs/exports.md, "Study records"). */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packAccess } from '#access/packedAccess'
import { drizzleOf, openSqlite } from '#db/open'
import { writeStudyRecord } from '#exchange/studyRecord/write'
import { parseInstant } from '#kernel/time'
import { twoSites } from '../exports/exports.study'
import { partsOf, rowsIn } from './archive'

async function recording() {
  const { here, of, a, anna, bert } = await twoSites()
  const db = drizzleOf(openSqlite(join(here.directory, 'trialbox.db'), { readonly: true }))
  const access = packAccess({ trial: new Set(['admin', 'exportData', 'readParticipantStudyData']), places: new Map() })
  const { exports, files } = here.service.services.storage
  /** Writes a record, and does `act` at a step of it. */
  const write = async (file: string, step: RegExp, act: () => unknown) => {
    let steps = 0
    const task = { trial: of.trial, access, at: parseInstant(here.now())!, file, dataset: null }
    const made = await writeStudyRecord(db, task, { exports, files, storageKey: 'of a test' }, (text) => {
      if (step.test(text) && steps++ === 0) act()
    })
    expect(steps).toBeGreaterThan(0)
    return { ...made, parts: partsOf(readFileSync(join(exports, file))) }
  }
  return { here, of, a, anna, bert, db, exports, write }
}

const names = (parts: Map<string, Buffer>) =>
  [...parts.keys()].filter((name) => name.startsWith('casebooks/')).toSorted()

describe('a record is of its moment', () => {
  test.each<[string, (ids: { a: string; bert: string }) => string]>([
    ['a participant is archived', ({ bert }) => `UPDATE participants SET isArchived = 1 WHERE _id = '${bert}'`],
    ['a site loses its participants', ({ a }) => `DELETE FROM participantSites WHERE site = '${a}'`],
    ['a participant gets another ID', ({ bert }) => `UPDATE participants SET id = 'New' WHERE _id = '${bert}'`],
  ])('although %s while it is written', async (_, sql) => {
    const { here, a, bert, db, write, exports } = await recording()
    const { parts, counts } = await write('record', /^Writing the responses/, () => here.db.run(sql({ a, bert })))
    expect([names(parts), counts.casebooks, counts.responses]).toEqual([
      ...[['casebooks/P-1.pdf', 'casebooks/P-2.pdf'], 2, 2],
    ])
    expect(rowsIn(parts, 'data/Visit.csv').map(({ participantId, siteIds }) => [participantId, siteIds])).toEqual([
      ...[
        ['P-1', 'S-A'],
        ['P-2', 'S-B'],
      ],
    ])
    expect(readdirSync(exports)).toEqual(['record'])
    db.$client.close()
  })
})

test('a record says how many participants were deleted while it was written', async () => {
  const { here, bert, db, write } = await recording()
  const remove = () => here.db.run(`DELETE FROM participants WHERE _id = '${bert}'`)
  const { parts, counts, amiss } = await write('record', /^Writing the responses/, remove)
  expect([counts.participants, counts.responses]).toEqual([2, 1])
  const problem = '1 deleted while this was written: parts lack them'
  expect(amiss).toEqual([{ name: 'participants', problem }])
  expect(JSON.parse(`${parts.get('study.json')}`).amiss).toEqual(amiss)
  db.$client.close()
})

test.each([/^Writing the responses/, /^Drawing the casebooks/, /^Writing the messages/])(
  'a record that fails at %p leaves no file and no copy of the participants',
  async (step) => {
    const { db, write, exports } = await recording()
    const disk = () => {
      throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
    }
    await expect(write('record', step, disk)).rejects.toThrow('no space left')
    expect(readdirSync(exports)).toEqual([])
    expect(db.$client.inTransaction).toBe(false)
    expect((await write('record', /^Adding/, () => {})).counts.casebooks).toBe(2)
    db.$client.close()
  },
)

test.each([/^Writing the responses/, /^Drawing the casebooks/])(
  'a trial that is deleted at %p has no record, and no file is left',
  async (step) => {
    const { here, of, db, write, exports } = await recording()
    const gone = write('record', step, () => here.db.run(`DELETE FROM trials WHERE _id = '${of.trial}'`))
    await expect(gone).rejects.toMatchObject({ status: 404 })
    expect(readdirSync(exports)).toEqual([])
    db.$client.close()
  },
)
