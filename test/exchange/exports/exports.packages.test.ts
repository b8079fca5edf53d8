/** Packages for statistics programs (docs/exports.md, "Packages"). */
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifiedFingerprint } from '#documents/archives/signature'
import { verifyRecord } from '#exchange/studyRecord/verifyRecord'
import { sha256 } from '#kernel/id'
import type { World } from '../../harness'
import { temporaryFolder } from '../../temporary'
import { hasHaven, readByHaven } from '../../writers/statistics.readers'
import { downloaded, manifestIn, partsOf } from '../studyRecord/archive'
import { entries, twoSites } from './exports.study'

const types = ['spss', 'stata', 'r', 'sas', 'graphpad', 'parquet'] as const
const extensions = { spss: 'sav', stata: 'dta', r: 'rds', sas: 'xpt', graphpad: 'pzfx', parquet: 'parquet' }

type Person = Pick<World['owner'], 'get'>

/** The parts of a package. */
async function packageOf(here: World, by: Person, url: `/trials/${string}/responses?${string}`) {
  const made = await by.get<'exportResponses'>(url)
  if (!('request' in made)) throw new Error('There is no link.')
  const bytes = await downloaded(here, String(made.request))
  return { bytes, parts: partsOf(bytes) }
}

describe('a package', () => {
  test.each(types)('of type %s has the data, a codebook and a README, and is signed', async (type) => {
    const { here, url } = await twoSites()
    const { bytes, parts } = await packageOf(here, here.owner, `${url}?type=${type}&from=2026-01-01`)
    const data = `Visit.${extensions[type]}`
    const companions = { r: ['read.R'], sas: ['read.sas'] }[type as 'r' | 'sas'] ?? []
    expect([...parts.keys()]).toEqual([
      ...[data, ...companions, 'codebook.html', 'codebook.xlsx', 'README.txt', 'MANIFEST', 'SIGNATURE.json'],
    ])
    expect(manifestIn(parts).said).toEqual(manifestIn(parts).true)
    expect(verifiedFingerprint(`${parts.get('SIGNATURE.json')}`, `${parts.get('MANIFEST')}`)).toMatch(/^[0-9a-f]{64}$/)
    const path = join(temporaryFolder(), `${type}.zip`)
    writeFileSync(path, bytes)
    expect(await verifyRecord(path)).toMatchObject({ parts: parts.size })
    const readme = `${parts.get('README.txt')}`
    expect(readme).toContain(`data of      ${here.now()} (UTC)`)
    expect(readme).toContain('from         2026-01-01')
    expect(readme).toContain(here.owner.email!)
    expect(readme).toContain(`${sha256(parts.get(data)!)}  ${data}`)
    expect(readme).toContain(`${data}: Visit, 2 rows`)
    const codebook = `${parts.get('codebook.html')}`
    for (const code of ['pulse', 'hiv', 'street']) expect(codebook).toContain(`<code>${code}</code>`)
    expect(entries(here, 'exportResponse').at(-1)!.event).toMatchObject({ format: type, from: '2026-01-01', rows: 2 })
    expect(readdirSync(here.service.services.storage.exports)).toHaveLength(1)
  })

  test.skipIf(!hasHaven)('of SPSS and Stata has what was answered, as R reads it', async () => {
    const { here, url } = await twoSites()
    const folder = mkdtempSync(join(temporaryFolder(), 'read-'))
    const paths = await Promise.all(
      (['spss', 'stata'] as const).map(async (type) => {
        const { parts } = await packageOf(here, here.owner, `${url}?type=${type}`)
        const path = join(folder, `${type}.${extensions[type]}`)
        writeFileSync(path, parts.get(`Visit.${extensions[type]}`)!)
        return path
      }),
    )
    for (const { rows, variables } of readByHaven(paths).values()) {
      expect(rows).toBe(2)
      const cells = Object.fromEntries(variables.map(({ name, cells }) => [name, cells]))
      expect(cells.pulse).toEqual([{ number: 61 }, { number: 72 }])
      expect(cells.hiv).toEqual([{ text: 'no' }, { text: 'yes' }])
    }
  })

  test('of SAS has no program in the name of a file', async () => {
    const { here, of, url, open } = await twoSites()
    of.stage("100 %sysexec(rm) & 'x", [open])
    const { parts } = await packageOf(here, here.owner, `${url}?type=sas`)
    expect([...parts.keys()]).toContain('100 _sysexec(rm) _ _x.xpt')
    expect(`${parts.get('read.sas')}`).toContain('filespec="&folder/100 _sysexec(rm) _ _x.xpt"')
  })

  test('has nothing that its reader may not see', async () => {
    const { here, url, of } = await twoSites()
    const reader = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
    const { bytes, parts } = await packageOf(here, reader, `${url}?type=spss`)
    for (const content of [bytes, ...parts.values()])
      expect(content.toString('latin1')).not.toMatch(/\b(hiv|street|Elm 1|Oak 2)\b/)
  })

  test('needs the permission to export and the feature', async () => {
    const { here, url, of } = await twoSites()
    const reader = here.staff(of.trial, ['trial.readParticipantStudyData'])
    expect((await reader.call('GET', `${url}?type=r`)).status).toBe(403)
    const { team } = await here.owner.do('readTrial', of.trial)
    await here.owner.do('updateTeam', team, { features: { advancedExport: false } })
    const { status, body } = await here.owner.call('GET', `${url}?type=r`)
    expect([status, body.message]).toEqual([403, expect.stringContaining('advancedExport')])
    expect((await here.owner.call('GET', `${url}?type=csv`)).status).toBe(200)
  })

  test('refuses the form of cells, which it has always', async () => {
    const { here, url } = await twoSites()
    const { status, body } = await here.owner.call('GET', `${url}?type=spss&values=labels`)
    expect([status, body.validations]).toEqual([
      422,
      { query: { values: ['Only csv and excel have values: set type too.'] } },
    ])
    expect((await here.owner.call('GET', `${url}?type=spss&shape=wide`)).status).toBe(200)
  })
})
