import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Id } from '#kernel/id'
import { unescapeFormula } from '#writers/csv'
import { world } from '../../harness'
import { firstOf, present } from '../../present'
import { proof, runs } from '../../proof'
import { everyFormat, study } from './exportStudy'
import { answer, documents, rowsOf, singly, workbook } from './exports.study'

proof('an export of several pages with amendments has every response once', async () => {
  const here = world()
  const of = study(here)
  const n = of.field('n', { format: 'integer' })
  const stage = of.stage('Often', [n], { adHoc: true })
  const anna = of.participant('P-1')
  const ids: Id[] = []
  for (let at = 0; at < 450; at++) ids.push(await of.submit(anna, stage, { [n]: at }, at))
  await of.submit(anna, stage, { [n]: -7 }, 199)
  const rows = rowsOf((await here.owner.do('exportResponses', of.trial, { type: 'csv' })).csv)
  expect(rows.map((row) => row.responseId)).toEqual(ids)
  expect(rows.map((row) => Number(row.n))).toEqual(ids.map((_, at) => (at === 199 ? -7 : at)))
  expect(firstOf((await here.owner.do('exportResponses', of.trial)).stages).responses.map(({ _id }) => _id)).toEqual(
    ids,
  )
})

proof(
  'an export is of one moment, whatever is submitted while it is written',
  async () => {
    const here = world()
    const of = study(here)
    const n = of.field('n', { format: 'integer' })
    const stages = ['First', 'Second'].map((name) => of.stage(name, [n], { adHoc: true }))
    const anna = of.participant('P-1')
    let count = 0
    /** The same answer to both stages, in one commit. */
    const both = () => {
      const at = count++
      return Promise.all(stages.map((stage) => of.submit(anna, stage, { [n]: at }, at)))
    }
    while (count < 400) await both()
    for (let round = 0; round < 8; round++) {
      let isDone = false
      const asked = here.owner.do('exportResponses', of.trial).finally(() => {
        isDone = true
      })
      while (!isDone) await both()
      const [first, second] = (await asked).stages.map(({ responses }) => responses.length)
      expect(first).toBe(second)
    }
  },
  180_000,
)

const submission = fc.record(answer, { requiredKeys: [] })

/** A time in hundredths of a second, rounded, since the reader of workbooks truncates milliseconds. */
const toHundredth = (date: Date) => Math.round(date.getTime() / 10)

/** The expected cell of a value if its data type has one column, implemented independently of the export. */
const single = (code: string, value: unknown): Record<string, string | number> => ({
  [code]:
    code === 'mass'
      ? (value as { bmi: number }).bmi
      : Array.isArray(value) && code !== 'drugs'
        ? value.join('; ')
        : typeof value === 'object'
          ? JSON.stringify(value)
          : code === 'birthday'
            ? (value as string).slice(0, 10)
            : (value as string | number),
})

const EFFECTS = ['Nausea', 'Rash, itching', '=Pain']

/** The expected cells of a value if each of its parts has a column, and choices are codes: their numbers, as they have none. */
function expanded(code: string, value: unknown): Record<string, string | number> {
  const entry = value as Record<string, number | null>
  if (code === 'smoker') return { smoker: (value as string[])[0] === 'Yes' ? 1 : 2 }
  if (code === 'mood') {
    return Object.fromEntries(Object.entries(entry).map(([key, point]) => [`mood_${key}`, point ?? 'NA']))
  }
  if (code === 'mass') return { mass_bmi: entry.bmi!, mass_height: entry.height!, mass_weight: entry.weight! }
  if (code !== 'effects') return single(code, value)
  const chosen = EFFECTS.map((label, at) => [`effects_${at + 1}`, (value as string[]).includes(label) ? 1 : 0])
  const codes = (value as string[]).map((label) => EFFECTS.indexOf(label) + 1)
  return { effects: codes.join('; '), ...Object.fromEntries(chosen) }
}

proof(
  'every format has the same content as the single responses',
  async () => {
    const cases = fc.array(fc.tuple(submission, fc.option(submission, { nil: undefined })), {
      minLength: 1,
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(cases, async (list) => {
        const here = world()
        const of = study(here)
        const ids = Object.fromEntries(
          Object.entries(everyFormat).map(([code, settings]) => [code, of.field(code, settings)]),
        )
        const codes = Object.fromEntries(Object.entries(ids).map(([code, id]) => [id, code]))
        const byId = (answers: object) =>
          Object.fromEntries(Object.entries(answers).map(([code, value]) => [ids[code]!, value]))
        const stage = of.stage('All', Object.values(ids))
        const responses: Id[] = []
        for (const [at, [first, amended]] of list.entries()) {
          const participant = of.participant(`P-${at}`)
          responses.push(await of.submit(participant, stage, byId(first)))
          here.clock(1_000)
          if (amended) await of.submit(participant, stage, byId(amended))
        }
        const each = await singly(here, of.trial, responses)
        expect(firstOf((await here.owner.do('exportResponses', of.trial)).stages).responses).toEqual(each)
        expect(documents(await here.owner.do('exportResponses', of.trial, { type: 'raw' })).responses).toEqual(each)
        expect((await here.owner.do('readStageResponses', of.trial, stage)).responses).toEqual(each)

        const cells = (as: typeof single) =>
          each.map(({ response }) =>
            Object.assign(
              {},
              ...Object.entries(response).map(([id, { value }]) => (value === null ? {} : as(codes[id]!, value))),
            ),
          )
        const shown = (rows: Record<string, string>[]) =>
          rows.map((row) =>
            Object.fromEntries(
              Object.entries(row)
                .slice('enteredAt' in row ? 12 : 11)
                .flatMap(([header, cell]) => (cell === '' ? [] : [[header, unescapeFormula(cell)]])),
            ),
          )
        const asText = (row: object) =>
          Object.fromEntries(Object.entries(row).map(([header, cell]) => [header, `${cell}`]))
        const rows = rowsOf((await here.owner.do('exportResponses', of.trial, { type: 'csv' })).csv)
        expect(shown(rows)).toEqual(cells(single).map(asText))
        const byParts = rowsOf(
          (await here.owner.do('exportResponses', of.trial, { type: 'csv', columns: 'expanded' })).csv,
        )
        expect(shown(byParts)).toEqual(cells(expanded).map(asText))
        expect<unknown[]>(rows.map((row) => [row.updatedAt, row.participantId])).toEqual(
          each.map((each) => [each.updatedAt ?? '', each.participantId]),
        )

        const { sheet } = await workbook(
          here,
          (await here.owner.do('exportResponses', of.trial, { type: 'excel' })).request,
        )
        const inSheet = sheet('All').map((row) =>
          Object.fromEntries(
            Object.entries(row)
              .filter(([header]) => /^(mood|mass|effects|drugs)_/.test(header) || header in everyFormat)
              .map(([header, cell]) => [header, cell instanceof Date ? toHundredth(cell) : cell]),
          ),
        )
        const inBook = (row: Record<string, string | number>) =>
          Object.fromEntries(
            Object.entries(row).map(([header, cell]) => {
              if (header === 'drugs') return ['drugs_rows', JSON.parse(String(cell)).length]
              if (header === 'woke') return [header, toHundredth(new Date(`1899-12-31T${cell}Z`))]
              return [header, header === 'birthday' || header === 'taken' ? toHundredth(new Date(cell)) : cell]
            }),
          )
        expect(inSheet).toEqual(cells(expanded).map(inBook))
        const drugs = each.flatMap(({ _id, response }) =>
          ((response[ids.drugs!]?.value ?? []) as { name: string }[]).map(({ name }, at) => [_id, at + 1, name]),
        )
        expect(sheet('drugs').map(({ responseId, row, name }) => [responseId, row, name])).toEqual(drugs)
      }),
      { numRuns: runs(15) },
    )
  },
  180_000,
)

test('a moment that a number does not hold exactly is text, never another moment', async () => {
  const here = world()
  const of = study(here)
  const taken = of.field('taken', { format: 'datetime' })
  const stage = of.stage('Visit', [taken])
  const values = ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.000000Z', '2026-03-01T10:00:00.123456Z']
  for (const [at, value] of values.entries()) await of.submit(of.participant(`P-${at}`), stage, { [taken]: value })
  const { sheet } = await workbook(here, (await here.owner.do('exportResponses', of.trial, { type: 'excel' })).request)
  const cells = sheet('Visit').map((row) => row.taken)
  expect(cells[0]).toBe(`${values[0]}`)
  for (const cell of cells.slice(1)) expect(cell).toBeInstanceOf(Date)
})

test('an option without a code has a column of its own, never that of another option’s code', async () => {
  const here = world()
  const of = study(here)
  const options = [{ label: 'Rash' }, { label: 'Cough', code: '1' }, { label: 'Fever', code: 'f' }]
  const effects = of.field('effects', { format: 'choice', multiple: true, options })
  const stage = of.stage('All', [effects])
  await of.submit(of.participant('P-1'), stage, { [effects]: ['Cough'] })
  const { csv } = await here.owner.do('exportResponses', of.trial, { type: 'csv', columns: 'expanded' })
  expect(rowsOf(csv)).toMatchObject([{ effects: '1', effects_2: '0', effects_1: '1', effects_f: '0' }])
})

test('every value, code and label of a hard study leaves as it was submitted, in csv and in a workbook', async () => {
  const here = world()
  const of = study(here)
  const long = (start: string) => start + '→é😀'.repeat(75)
  const options = [
    { label: long('= '), code: '01' },
    { label: long('naïve, "q"\n; '), code: 'ß-😀' },
    { label: 'plain' },
  ]
  const labels = options.map(({ label }) => label)
  const scale = [
    { value: 0, label: long('zero ') },
    { value: 1.5, label: 'one, half' },
  ]
  const statements = ['q 1', 'Ünï', '=k'].map((key) => ({ key, label: long(key) }))
  const every: [string, Record<string, unknown>, unknown][] = [
    ['short', { format: 'text' }, "=SUM(A1;'x)\r\n\t\u0001 end "],
    ['huge', { format: 'paragraph' }, 'ab😀,"\n'.repeat(7_000).slice(0, 40_000)],
    ['one', { format: 'choice', options }, [labels[1]]],
    ['many', { format: 'choice', multiple: true, options }, [labels[0], labels[2]]],
    ['mood', { format: 'likert', scale, statements, allowNotApplicable: true }, { 'q 1': 1.5, Ünï: null }],
    ['born', { format: 'date' }, '1899-12-31T00:00:00.000000Z'],
    ['taken', { format: 'datetime' }, '2024-02-29T23:59:59.999999Z'],
    ['woke', { format: 'time' }, '23:59:59'],
    ['mass', { format: 'bmi' }, { height: 170, weight: 65 }],
    ['small', { format: 'float' }, 1e-7],
    ['count', { format: 'integer' }, -9],
  ]
  const ids = new Map(every.map(([code, settings]) => [code, of.field(code, settings)]))
  const table = of.field('Tabelle', {
    format: 'table',
    columns: [{ id: 'Größe/😀', label: long('c'), format: 'text' }],
  })
  const stage = of.stage('Überblick 😀 [1]: "x"', [...ids.values(), table])
  const answers = Object.fromEntries(every.map(([code, , value]) => [ids.get(code)!, value]))
  const rows = ['=1+1', 'b'.repeat(900)]
  await of.submit(of.participant('=P-1'), stage, { ...answers, [table]: rows.map((cell) => ({ 'Größe/😀': cell })) })
  await of.submit(of.participant('P-2'), stage, {})
  const expected: Record<string, string | number> = {
    ...{ participantId: '=P-1', short: every[0]![2] as string, huge: every[1]![2] as string },
    ...{ one: 'ß-😀', one_label: labels[1]!, many: '01; 3', many_label: `${labels[0]}; plain` },
    ...{ many_01: 1, 'many_ß-😀': 0, many_3: 1 },
    ...{ 'mood_q 1': 1.5, 'mood_q 1_label': 'one, half', mood_Ünï: 'NA', mood_Ünï_label: 'Not applicable' },
    ...{ born: '1899-12-31', taken: '2024-02-29T23:59:59.999999Z', woke: '23:59:59' },
    ...{ mass_bmi: 22.5, mass_height: 170, mass_weight: 65, small: 1e-7, count: -9 },
  }
  const { csv } = await here.owner.do('exportResponses', of.trial, {
    type: 'csv',
    columns: 'expanded',
    values: 'both',
    escape: 'none',
  })
  const [first, second] = rowsOf(csv)
  expect(first).toMatchObject(Object.fromEntries(Object.entries(expected).map(([name, cell]) => [name, `${cell}`])))
  // What was not answered is blank: no 0 among the options, no NA.
  expect(
    Object.entries(second ?? {})
      .filter(([, cell]) => cell !== '')
      .map(([name]) => name),
  ).toEqual([
    ...['responseId', 'participantId', 'stage', 'stageRecurrence', 'createdAt', 'updatedAt', 'partialSubmission'],
  ])
  const escaped =
    rowsOf(
      (await here.owner.do('exportResponses', of.trial, { type: 'csv', columns: 'expanded', values: 'both' })).csv,
    )[0] ?? {}
  for (const name of ['participantId', 'short', 'huge', 'one_label', 'many_label']) {
    expect(escaped[name] ?? '').not.toMatch(/^[=+@-]/)
    expect(unescapeFormula(escaped[name] ?? '')).toBe(`${expected[name]}`)
  }
  const { sheet, names } = await workbook(
    here,
    (await here.owner.do('exportResponses', of.trial, { type: 'excel', values: 'both' })).request,
  )
  const row = present(sheet(names[0]!)[0])
  const { huge, taken, woke, ...exact } = expected
  // The reader takes a carriage return with a line feed for one line feed.
  expect(row).toMatchObject({
    ...exact,
    short: `${exact.short}`.replace('\r\n', (row.short as string).includes('\r\n') ? '\r\n' : '\n'),
  })
  expect((row.huge as string).slice(0, 32_000)).toBe(`${huge}`.slice(0, 32_000))
  expect(row.huge).toEndWith('[cut: 40000 characters; see csv]')
  expect(Math.abs((row.taken as Date).getTime() - Date.parse(`${taken}`))).toBeLessThan(10)
  expect(woke).toBe('23:59:59')
  expect(sheet('Tabelle').map((each) => each['Größe/😀'])).toEqual(rows)
  const book = rowsOf(
    (
      await here.owner.do('exportResponses', of.trial, {
        type: 'csv',
        columns: 'expanded',
        values: 'both',
        dataset: 'codebook',
        escape: 'none',
      })
    ).csv,
  )
  const codes = options.map(({ label, code }, at) => `${code ?? at + 1} = ${label}`).join('\n')
  expect(book.find(({ variable }) => variable === 'one')?.codes).toBe(codes)
  expect(book.find(({ variable }) => variable === 'mood_Ünï')).toMatchObject({
    label: `The mood: ${long('Ünï')}`,
    codes: `0 = ${long('zero ')}\n1.5 = one, half`,
  })
})
