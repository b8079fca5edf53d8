import { expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell } from '#writers/cell'
import type { Dataset } from '#writers/dataset'
import { writeParquet } from '#writers/parquet/parquet'
import { writePzfx } from '#writers/pzfx/pzfx'
import { writeRds } from '#writers/rds/rds'
import { rScript } from '#writers/rds/script'
import { writeXpt } from '#writers/xpt/xpt'
import { inFolderLater } from './folder'
import { hasHaven, hasReadStat, readByReadStat } from './statistics.readers'

const OPTIONS = { created: Date.UTC(2026, 2, 1, 9, 30) * 1000, product: 'Trialbox 0.1.0' }
const formats = { rds: writeRds, xpt: writeXpt, pzfx: writePzfx, parquet: writeParquet }
const allFormats = ['rds', 'xpt', 'pzfx', 'parquet'] as const

test.skipIf(!hasReadStat)('readstat reads a transport file', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a.xpt')
    await writeXpt(path, study(), OPTIONS)
    const { error, csv } = await readByReadStat(folder, path)
    expect(error).toBe('')
    expect(csv).toContain('"participant","sex","height"')
    expect(csv).toContain('"anna ä 😀",1.0')
  }),
)

const study = (
  rows: Cell[][] = [
    ['anna ä 😀', 1, 170.5],
    ['bert', 9, null],
  ],
): Dataset => ({
  name: 'Visit 1',
  label: 'Visit "1"',
  variables: [
    { name: 'participant', label: 'Participant', kind: 'text', measure: 'nominal' },
    {
      name: 'sex',
      label: 'Sex',
      kind: 'number',
      measure: 'nominal',
      values: [
        { value: 1, label: 'female' },
        { value: 2, label: 'male' },
        { value: 9, label: 'no answer', isMissing: true },
      ],
    },
    {
      name: 'height',
      label: 'Height',
      kind: 'number',
      measure: 'scale',
      unit: 'cm',
      values: [{ value: 0, label: 'not measured', isMissing: true }],
    },
  ],
  rows,
})

test.skipIf(!hasHaven)('the script of R reads the files, and knows codes and missing values', () =>
  inFolderLater(async (folder) => {
    const rows: Cell[][] = [
      ['anna', 1, 170.5],
      ['bert', 9, 0],
      ['carl', null, 7],
    ]
    await writeRds(join(folder, 'Visit "1".rds'), study(rows), OPTIONS)
    await Bun.write(
      join(folder, 'read.R'),
      `${rScript([{ file: 'Visit "1".rds', name: 'Visit 1', label: 'Visit\n1' }])}
cat(codes_of(Visit_1$sex), levels(without_missing(Visit_1$sex)), codes_of(without_missing(Visit_1$sex)), without_missing(Visit_1$height), as.character(labelled(Visit_1$height)), sep = "|")
cat("\\n", codebook(Visit_1)$values, sep = "|")`,
    )
    const { stdout, stderr } = Bun.spawnSync(['Rscript', 'read.R'], {
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    expect(stderr.toString()).toBe('')
    expect(stdout.toString().split('\n')).toEqual([
      '1|9|NA|female|male|1|NA|NA|170.5|NA|7|170.5|not measured|7',
      '|NA|1 = female; 2 = male; 9 = no answer|0 = not measured',
    ])
  }),
)

test('a failed export leaves no file, and only the owner may read one that is complete', () =>
  inFolderLater(async (folder) => {
    for (const format of allFormats) {
      function* broken(): Generator<Cell[]> {
        for (let row = 0; row < 5_000; row++) yield ['x', row, null]
        throw new Error('the disk')
      }
      const failing = formats[format](join(folder, `a.${format}`), { ...study(), rows: broken() }, OPTIONS)
      expect(failing).rejects.toThrow('the disk')
      await failing.catch(() => {})
      expect(readdirSync(folder)).toEqual([])
      const grown: number[] = []
      await formats[format](join(folder, `a.${format}`), study(), {
        ...OPTIONS,
        onGrowth: (bytes) => grown.push(bytes),
      })
      expect(grown.length).toBeGreaterThan(0)
      expect(statSync(join(folder, `a.${format}`)).mode & 0o777).toBe(0o600)
      expect(readdirSync(folder)).toEqual([`a.${format}`])
      const failingAtEnd = formats[format](join(folder, `a.${format}`), study(), OPTIONS)
      expect(failingAtEnd).rejects.toThrow()
      await failingAtEnd.catch(() => {})
      await Bun.file(join(folder, `a.${format}`)).delete()
    }
  }))

test.each(allFormats)('.%s: a dataset without variables is refused', (format) =>
  inFolderLater(async (folder) => {
    const writing = formats[format](join(folder, 'a'), { name: 'a', label: '', variables: [], rows: [] }, OPTIONS)
    expect(writing).rejects.toMatchObject({ status: 400 })
    await writing.catch(() => {})
  }),
)

test('a table of Prism that has too many columns continues in a further one, with the same titles of rows', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a.pzfx')
    await writePzfx(path, study(), OPTIONS, undefined, 1)
    const text = await Bun.file(path).text()
    expect(text.match(/<Title>Visit 1( \(2\))?<\/Title>\n<RowTitlesColumn/g)?.length).toBe(2)
    expect(text.match(/<d>anna ä 😀<\/d>/g)?.length).toBe(2)
  }))
