/** Options that say why there is no answer, in every format, as its readers read them (docs/data-types.md, "Why there is no answer"). */
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { sharedInFile, world } from '../../harness'
import { firstOf } from '../../present'
import { temporaryFolder } from '../../temporary'
import { readByR, readPrism } from '../../writers/frames.readers'
import { hasHaven, readByHaven } from '../../writers/statistics.readers'
import { downloaded, partsOf } from '../studyRecord/archive'
import { study } from './exportStudy'
import { rowsOf, workbook } from './exports.study'

const options = [
  { label: 'No', code: 0 },
  { label: 'Yes', code: 1 },
  { label: 'Refused 🙈', code: -8, missing: true },
  { label: 'Not done', code: -9, missing: true },
]

/** Three people: an answer, a reason, nothing. */
async function answered() {
  const here = world()
  const of = study(here)
  const [one, many] = [
    of.field('smoker', { format: 'choice', options }),
    of.field('effects', { format: 'choice', multiple: true, options }),
  ]
  const twice = of.field('twice', { format: 'calculation', expression: 'smoker * 2' })
  const stage = of.stage('Visit', [one, many, twice])
  const [a, b, c, d] = ['P-1', 'P-2', 'P-3', 'P-4'].map((id) => of.participant(id)) as [string, string, string, string]
  await of.submit(a, stage, { [one]: ['Yes'], [many]: ['No', 'Yes'] })
  await of.submit(b, stage, { [one]: ['Refused 🙈'], [many]: ['Not done'] })
  await of.submit(c, stage, { [one]: ['Not done'] })
  await of.submit(d, stage, {})
  return { here, of, url: `/trials/${of.trial}/responses` as const }
}

const shared = sharedInFile(answered)
const folder = mkdtempSync(join(temporaryFolder(), 'missing-'))

async function packageOf(type: 'spss' | 'stata' | 'r' | 'sas' | 'graphpad' | 'parquet', extension: string) {
  const { here, of } = await shared()
  const made = await here.owner.do('exportResponses', of.trial, { type })
  if (!('request' in made)) throw new Error('There is no link.')
  const parts = partsOf(await downloaded(here, made.request))
  const path = join(folder, `Visit.${extension}`)
  writeFileSync(path, parts.get(`Visit.${extension}`)!)
  return { path, parts }
}

const columns = (file: { variables: { name: string; cells: unknown[] }[] } | undefined) =>
  Object.fromEntries((file?.variables ?? []).map(({ name, cells }) => [name.toLowerCase(), cells]))
const number = (value: number) => ({ number: value })

describe('csv', () => {
  test('has the code, or the label; the options of a multiple choice are blank', async () => {
    const { here, of } = await shared()
    const rows = rowsOf((await here.owner.do('exportResponses', of.trial, { type: 'csv', columns: 'expanded' })).csv)
    const cells = (...names: string[]) => rows.map((row) => names.map((name) => row[name]).join('|'))
    expect(cells('smoker', 'twice')).toEqual(['1|2', '-8|', '-9|', '|'])
    expect(cells('effects', 'effects_0', 'effects_1', 'effects_-8', 'effects_-9')).toEqual([
      ...['0; 1|1|1|0|0', '-9|||0|1', '||||', '||||'],
    ])
    const labels = rowsOf((await here.owner.do('exportResponses', of.trial, { type: 'csv' })).csv)
    expect(labels.map((row) => `${row.smoker}|${row.effects}`)).toEqual([
      ...['Yes|No; Yes', 'Refused 🙈|Not done', 'Not done|', '|'],
    ])
  })

  test.each(['expanded', 'single'])('has a codebook that tells them apart: %s', async (form) => {
    const { here, of } = await shared()
    const rows = rowsOf(
      (
        await here.owner.do('exportResponses', of.trial, {
          type: 'csv',
          dataset: 'codebook',
          columns: form,
          escape: 'none',
        })
      ).csv,
    )
    const missing = Object.fromEntries(rows.map((row) => [row.variable, row.missing]))
    const codes = '-8 = Refused 🙈\n-9 = Not done'
    const labels = 'Refused 🙈 = Refused 🙈\nNot done = Not done'
    const said = form === 'expanded' ? codes : labels
    expect([missing.smoker, missing.effects, missing.twice]).toEqual([said, said, ''])
  })
})

test('a workbook has empty cells for what is no value', async () => {
  const { here, of } = await shared()
  const { request } = await here.owner.do('exportResponses', of.trial, { type: 'excel' })
  const rows = (await workbook(here, request)).sheet('Visit')
  expect(rows.map((row) => [row.smoker, row.twice, row.effects_0, row['effects_-9']])).toEqual([
    [1, 2, 1, 0],
    [-8, undefined, undefined, 1],
    [-9, undefined, undefined, undefined],
    [undefined, undefined, undefined, undefined],
  ])
})

test('json has the options with their mark, and the answers as they are', async () => {
  const { here, of } = await shared()
  const { dataTypes, responses } = firstOf((await here.owner.do('exportResponses', of.trial)).stages)
  expect(dataTypes.find(({ code }) => code === 'smoker')).toMatchObject({ options })
  expect(responses).toHaveLength(4)
})

describe.skipIf(!hasHaven)('haven reads', () => {
  test('user-missing values of SPSS, with their labels', async () => {
    const { path } = await packageOf('spss', 'sav')
    const file = readByHaven([path]).get(path)
    const of = (name: string) => file?.variables.find((each) => each.name === name)
    expect(of('smoker')).toMatchObject({
      missing: ['-9', '-8'],
      cells: [number(1), number(-8), number(-9), { missing: '.' }],
    })
    expect(of('smoker')?.labels).toEqual(new Map(options.map(({ code, label }) => [code, label])))
    expect(of('effects')?.missing).toEqual(['t2d38', 't2d39'])
    expect(columns(file).effects_0).toEqual([number(1), ...new Array(3).fill({ missing: '.' })])
  })

  test('.a and .b of Stata, with their labels', async () => {
    const { path } = await packageOf('stata', 'dta')
    const file = readByHaven([path]).get(path)
    const smoker = file?.variables.find(({ name }) => name === 'smoker')
    expect(smoker?.cells).toEqual([number(1), { missing: '.a' }, { missing: '.b' }, { missing: '.' }])
    expect(smoker?.labels).toEqual(
      new Map<string | number, string>([
        [0, 'No'],
        [1, 'Yes'],
        ['.a', 'Refused 🙈'],
        ['.b', 'Not done'],
      ]),
    )
    expect(columns(file).twice).toEqual([number(2), ...new Array(3).fill({ missing: '.' })])
  })

  test('.A and .B of SAS, and the levels of R', async () => {
    const [sas, r] = [await packageOf('sas', 'xpt'), await packageOf('r', 'rds')]
    const files = readByR([sas.path, r.path])
    expect(columns(files.get(sas.path)).smoker).toEqual([
      ...[number(1), { missing: '.A' }, { missing: '.B' }, { missing: '.' }],
    ])
    expect(columns(files.get(r.path)).smoker).toEqual([number(1), number(-8), number(-9), { missing: '.' }])
    // A multiple choice is text, also with an option that is no answer.
    expect(columns(files.get(r.path)).effects).toEqual([
      ...[{ text: '0; 1' }, { text: '-9' }, { missing: '.' }, { missing: '.' }],
    ])
    expect(`${sas.parts.get('read.sas')}`).toContain('Refused')
    const script = `data <- readRDS("${r.path}"); ${`${r.parts.get('read.R')}`.split('# The code of each')[1]!.replace(/^/, '# ')}
cat(as.character(without_missing(data$smoker)), levels(without_missing(data$smoker)), sep = "|")`
    const { exitCode, stdout } = Bun.spawnSync(['Rscript', '-e', script])
    expect([exitCode, stdout.toString()]).toEqual([0, 'Yes|NA|NA|NA|No|Yes'])
  })
})

test('DuckDB reads the codes of Parquet, and which of them are no answer', async () => {
  const { path } = await packageOf('parquet', 'parquet')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS()
  expect(await rows(`SELECT smoker, effects_0::DOUBLE, twice FROM '${path}'`)).toEqual([
    ...[
      [1, 1, 2],
      [-8, null, null],
      [-9, null, null],
      [null, null, null],
    ],
  ])
  const [[metadata] = []] = await rows(
    `SELECT decode(value) FROM parquet_kv_metadata('${path}') WHERE key = 'trialbox'`,
  )
  const { variables } = JSON.parse(String(metadata)) as { variables: { name: string; values?: unknown }[] }
  expect(variables.find(({ name }) => name === 'smoker')?.values).toMatchObject([
    ...[{ value: 0 }, { value: 1 }, { value: -8, isMissing: true }, { value: -9, isMissing: true }],
  ])
})

test('Prism and the codebooks say which codes are no answer', async () => {
  const { path, parts } = await packageOf('graphpad', 'pzfx')
  expect(firstOf(readPrism([path])).notes).toContain('-9 = Not done (no answer)')
  expect(`${parts.get('codebook.html')}`).toContain(
    '<code>-9</code> = <span dir="auto">Not done</span> <small>(says why there is no answer)</small>',
  )
})
