import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { writeDta } from '#writers/dta/dta'
import { writeSav } from '#writers/sav/sav'
import { inFolderLater } from './folder'
import { dataset, HUGE, LONG_LABEL, OPTIONS } from './statistics.dataset'
import {
  hasForeign,
  hasHaven,
  hasPandas,
  hasPspp,
  plain,
  readByForeign,
  readByHaven,
  readByPandas,
  runPspp,
} from './statistics.readers'

const lines = (out: string, table: string): string[][] =>
  parse(out.split(`Table: ${table}\n`)[1]!.split('\n\n')[0]!, { relax_column_count: true })

test.skipIf(!hasPspp)(
  'PSPP shows the dictionary of a .sav file: levels, formats, missing values, labels, attributes',
  () =>
    inFolderLater(async (folder) => {
      const path = join(folder, 'a.sav')
      await writeSav(path, dataset, OPTIONS)
      const out = await runPspp(folder, `SYSFILE INFO FILE='${path}'.\nGET FILE='${path}'.\nDISPLAY ATTRIBUTES.\n`)
      expect(out).not.toMatch(/warning|error/i)
      expect(Object.fromEntries(lines(out, 'File Information'))).toMatchObject({
        Label: 'Base line ärm',
        Created: '01 Mar 26 09:30:00 by Trialbox 1.2.3',
        Variables: '16',
        Cases: '4',
        Compression: 'SAV',
        Encoding: 'UTF-8',
      })
      const kept = lines(out, 'Variables').map(([name, , , level, , width, side, format, , missing]) => [
        name,
        level,
        width,
        side,
        format,
        missing,
      ])
      expect(kept.slice(1)).toEqual([
        ['participant', 'Nominal', '8', 'Left', 'A4', ''],
        ['größe_in_cm', 'Scale', '20', 'Right', 'F20.16', ''],
        ['sex', 'Nominal', '8', 'Right', 'F8.0', '-9'],
        ['pain', 'Ordinal', '8', 'Right', 'F8.0', '-99 THRU -96'],
        ['hand', 'Nominal', '8', 'Left', 'A2', '"x "'],
        ['arm', 'Nominal', '12', 'Left', 'A12', '"n/a     "'],
        ['note', 'Nominal', '40', 'Left', 'A800', ''],
        ['story', 'Nominal', '40', 'Left', 'A32766', ''],
        ['story_2', 'Nominal', '8', 'Left', 'A32766', ''],
        ['story_3', 'Nominal', '8', 'Left', 'A32766', ''],
        ['story_4', 'Nominal', '8', 'Left', 'A21703', ''],
        ['to_1', 'Scale', '10', 'Right', 'SDATE10', ''],
        ['when', 'Scale', '24', 'Right', 'DATETIME24.3', ''],
        ['bed', 'Scale', '8', 'Right', 'TIME8.0', ''],
        ['mixed', 'Nominal', '8', 'Left', 'A4', ''],
        ['big', 'Scale', '40', 'Right', 'F40.0', ''],
      ])
      const labels = lines(out, 'Value Labels')
        .slice(1)
        .flatMap(([, value, label]) => (label === undefined ? [] : [[value, label]]))
      expect(labels).toEqual([
        ['-9[a]', 'refused'],
        ['1', 'male'],
        ['2', 'ä'.repeat(60)],
        ['-99[a]', 'm-99'],
        ['-98[a]', 'm-98'],
        ['-97[a]', 'm-97'],
        ['-96[a]', 'm-96'],
        ['1', 'none'],
        ['l', 'left'],
        ['x[a]', 'lost'],
        ['n/a[a]', 'none'],
        ['verum 200 mg', 'Verum'],
        ['1', 'yes'],
      ])
      const attributes = lines(out, 'Variable and Dataset Attributes')
        .slice(1)
        .map(([, name, value]) => [name, value])
      expect(attributes).toEqual(
        expect.arrayContaining([
          ['ColumnName', 'größe in cm'],
          ['FullLabel', LONG_LABEL],
          ['Unit', 'cm'],
          ['FullValueLabels', `2 = ${'ä'.repeat(300)}`],
          ['ColumnName', 'to'],
        ]),
      )
    }),
)

test.skipIf(!hasPspp)('PSPP reads the cells of a .sav file', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a.sav')
    const csv = join(folder, 'a.csv')
    await writeSav(path, dataset, OPTIONS)
    const out = await runPspp(
      folder,
      `GET FILE='${path}'.\nSAVE TRANSLATE /OUTFILE='${csv}' /TYPE=CSV /FIELDNAMES /CELLS=VALUES /REPLACE.\n`,
    )
    expect(out).toBe('')
    const rows: string[][] = parse(await Bun.file(csv).text())
    const trimmed = rows.slice(1).map((row) => row.map((cell) => cell.trimEnd()))
    const story = trimmed.map((row) => row.slice(7, 11).join(''))
    expect(story).toEqual([HUGE, 'abc', '', ''])
    expect(trimmed.map((row) => [...row.slice(0, 7), ...row.slice(11)])).toEqual([
      [
        'p1',
        '170.5',
        '1',
        '-99',
        'l',
        'verum 200 mg',
        'x'.repeat(300),
        '03/01/2026',
        '03/01/2026 09:30:00',
        '18:00:01',
        '1',
        '9007199254740992',
      ],
      ['p2', '', '2', '1', 'x', 'n/a', 'short', '03/01/1890', '12/31/1969 23:59:59', '00:00:00', 'gone', '0'],
      [
        '😀',
        '0.30000000000000004',
        '-9',
        '5',
        'zz',
        'other',
        'ü'.repeat(400),
        '12/31/2026',
        '01/01/1970 00:00:00',
        '23:59:00',
        '3',
        '1e+300',
      ],
      ['', '', '', '', '', '', '', '', '', '', '', ''],
    ])
  }),
)

test.skipIf(!hasHaven)('R (haven) knows the formats and missing values of both files', () =>
  inFolderLater(async (folder) => {
    const [sav, dta] = [join(folder, 'a.sav'), join(folder, 'a.dta')]
    await writeSav(sav, dataset, OPTIONS)
    await writeDta(dta, dataset, OPTIONS)
    const read = readByHaven([sav, dta])
    const declared = (path: string) =>
      Object.fromEntries(
        read.get(path)!.variables.flatMap(({ name, missing }) => (missing.length ? [[name, missing]] : [])),
      )
    expect(declared(sav)).toEqual({
      sex: ['-9'],
      pain: ['-99:-96'],
      hand: ['t78'],
      arm: ['t6e2f61'],
    })
    const formats = (path: string) => read.get(path)!.variables.map(({ format }) => format)
    expect(formats(dta)).toEqual([
      '%-9s',
      '%10.0g',
      '%8.0g',
      '%8.0g',
      '%-9s',
      '%-12s',
      '%-50s',
      '%-50s',
      '%tdCCYY-NN-DD',
      '%tcCCYY-NN-DD_HH:MM:SS.sss',
      '%tcHH:MM:SS',
      '%-9s',
      '%18.0g',
    ])
    const sex = read.get(dta)!.variables[2]!
    expect(sex.cells.map(plain)).toEqual([1, 2, '.a', '.'])
    expect([...sex.labels]).toEqual([
      [1, 'male'],
      [2, 'ä'.repeat(300)],
      ['.a', 'refused'],
    ])
    expect(read.get(dta)!.variables[7]!.cells.map(plain)).toEqual([HUGE, 'abc', '', ''])
  }),
)

test.skipIf(!hasPandas)('pandas reads the labels of a .dta file', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a.dta')
    await writeDta(path, dataset, OPTIONS)
    const [read] = readByPandas([path])
    expect(read!.title).toBe('Base line ärm')
    expect(read!.names.slice(0, 3)).toEqual(['participant', 'größe_in_cm', 'sex'])
    expect(read!.labels.größe_in_cm).toBe([...LONG_LABEL].slice(0, 80).join(''))
    expect(read!.values.sex).toEqual([
      [1, 'male'],
      [2, 'ä'.repeat(300)],
      [2_147_483_622, 'refused'],
    ])
  }),
)

test.skipIf(!hasForeign)('R (foreign) reads a .sav file; long texts are the one thing that it does not join', () =>
  inFolderLater(async (folder) => {
    const path = join(folder, 'a.sav')
    const names = ['participant', 'größe in cm', 'sex', 'pain', 'hand', 'big']
    const places = names.map((name) => dataset.variables.findIndex((variable) => variable.name === name))
    const variables = places.map((at) => dataset.variables[at]!)
    const rows = [...dataset.rows].map((row) => places.map((at) => row[at]))
    await writeSav(path, { ...dataset, variables, rows }, OPTIONS)
    const read = readByForeign(path)
    expect(read.names).toEqual(['participant', 'größe_in_cm', 'sex', 'pain', 'hand', 'big'])
    expect(read.cells).toEqual([
      ['p1', 'p2', '😀', ''],
      [170.5, '.', 0.1 + 0.2, '.'],
      [1, 2, -9, '.'],
      [-99, 1, 5, '.'],
      ['l', 'x', 'zz', ''],
      [2 ** 53, 0, 1e300, '.'],
    ])
    expect(read.labels.get('sex')).toEqual([
      ['ä'.repeat(60), '2'],
      ['male', '1'],
      ['refused', '-9'],
    ])
  }),
)
