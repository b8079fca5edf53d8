/** The checks of answers are the same for staff and participants, and their messages are made for people. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { HOUR } from '#kernel/time'
import { type Field, form } from '../../form'
import { everyFormat, goodAnswers, study } from '../../study'

describe('what fits, and what is told where it does not, by both entries:', () => {
  const options = ['Nausea', 'Rash', 'Fever'].map((label) => ({ label }))
  const several = { format: 'choice', multiple: true, options: [...options, { label: 'None', isExclusive: true }] }
  const many = { format: 'choice', options: Array.from({ length: 300 }, (_, n) => ({ label: `Option ${n}` })) }
  const table = { format: 'table', minRows: 1, columns: [{ id: 'a', label: 'Dose', format: 'integer' }] }
  /** The settings, the answer, and the message of the 400 or 422; undefined if the answer is stored as it is. */
  const cases: [Omit<Field, 'code'>, unknown, string?][] = [
    // A character is one as a person sees it, as far as Unicode defines it.
    [{ format: 'text', maxLength: 1 }, '😀'],
    [{ format: 'text', maxLength: 1 }, '😀😀', '“Your field” must be at most 1 character.'],
    [{ format: 'text', minLength: 2 }, '😀', '“Your field” must be at least 2 characters.'],
    [{ format: 'text', pattern: '.' }, '😀'],
    [{ format: 'text', pattern: '\\p{Lu}\\p{L}+' }, 'Élodie'],
    [{ format: 'text', pattern: '\\p{Lu}\\p{L}+' }, 'p{L}', '“Your field” must be in the form \\p{Lu}\\p{L}+.'],
    [{ format: 'text', pattern: '\\d{3}\\-\\d' }, '123-4'], // not a pattern of Unicode mode
    // A number without decimals never has too many, however large it is.
    [{ format: 'float', decimals: 10 }, 1e300],
    [{ format: 'float', decimals: 10 }, 1e-11, '“Your field” must have at most 10 decimals.'],
    [{ format: 'float', min: 0.05, step: 0.1 }, 0.35],
    [{ format: 'float', min: 0.05, step: 0.1 }, 0.1, '“Your field” must be in steps of 0.1 from 0.05.'],
    [{ format: 'integer' }, Number.MAX_SAFE_INTEGER],
    [{ format: 'integer' }, 1e21, '“Your field” must be from -9007199254740991 to 9007199254740991.'],
    [{ format: 'integer' }, 1.5, '“Your field” must be a whole number.'],
    [several, ['Nausea', 'Rash']],
    [{ ...several, maxSelected: 1 }, ['Nausea', 'Rash'], '“Your field” takes one option only.'],
    [{ ...several, maxSelected: 2 }, ['Nausea', 'Rash', 'Fever'], '“Your field” takes at most 2 options.'],
    [{ ...several, minSelected: 2 }, ['Nausea'], '“Your field” needs at least 2 options.'],
    [{ ...several, minSelected: 2 }, ['None']],
    [several, ['None', 'Rash'], '“Your field” takes “None” by itself only.'],
    [several, ['Rash', 'Rash'], '“Your field” takes “Rash” once only.'],
    [
      many,
      ['Other'],
      `“Your field” must be one of: ${many.options
        .slice(0, 20)
        .map((each) => each.label)
        .join(', ')}, … (300 in all).`,
    ],
    // An object does not count as a blank text, number or list, as it would clear an answer by mistake.
    [{ format: 'text' }, {}, 'field: “Your field” must be text.'],
    [{ format: 'integer' }, {}, 'field: “Your field” must be a number.'],
    [several, {}, 'field: “Your field” must be a list of the chosen options.'],
    [table, {}, 'field: “Your field” must be a list of rows.'],
    [{ format: 'bmi' }, { weigth: 80 }, 'field: “Your field” has no “weigth”, only height and weight.'],
    [table, [{ a: 1 }, {}]],
    [table, [{ a: '1' }], 'field: “Your field” row 1, “Dose” must be a number.'],
    [{ format: 'file' }, { fileName: 'x' }, '“Your field” must be a file that was uploaded for this participant.'],
  ]
  for (const [settings, value, problem] of cases) {
    test(`${JSON.stringify(settings).slice(0, 100)}: ${JSON.stringify(value)}`, async () => {
      const { both, ids, faults } = await form([{ code: 'field', ...settings } as Field])
      for (const { status, body } of await both({ field: value })) {
        const found = body.details?.fields?.[ids.field!] ?? body.validations?.json.response[0]
        expect({ problem: found, value: body.response?.[ids.field!].value }).toEqual({
          problem,
          value: problem ? undefined : value,
        })
        expect(status).toBe(problem === undefined ? 200 : body.details ? 400 : 422)
      }
      expect(faults).toEqual([])
    })
  }

  test('rows in which nothing was filled in are a blank', async () => {
    const { both, ids, owner, stage, components } = await form([{ code: 'drugs', ...table }])
    const change = (more: object) => owner.put(`/stages/${stage}`, { components: [{ ...components[0], ...more }] })
    for (const { body } of await both({ drugs: [{}, { a: '' }] })) expect(body.response).toEqual({})
    await change({ isRequired: true })
    for (const { status, body } of await both({ drugs: [{}, { a: null }] })) {
      expect(status).toBe(400)
      expect(body.details.fields).toEqual({ [ids.drugs!]: '“Your drugs” is required.' })
    }
  })

  test('a file is told by the title that the form gives it, and its size in words', async () => {
    const { me, fetch, ids, ownUrl, sent } = await form([
      { code: 'scan', format: 'file', maxSize: 3 * 1024 * 1024, mimeTypes: ['application/pdf'] },
    ])
    const upload = async (size: number, type: string) => {
      const question = new URLSearchParams({ name: 'a', size: `${size}`, type, forType: 'participant' })
      const { signedRequestURL, fileName } = await me.get(`/uploads/file/request?${question}`)
      const headers = { 'Content-Type': type, 'Content-Length': `${size}` }
      expect((await fetch(signedRequestURL, { method: 'PUT', body: 'x'.repeat(size), headers })).status).toBe(200)
      return { fileName, name: 'a' }
    }
    const answer = async (value: unknown) => (await me.call('POST', ownUrl, sent({ scan: value }))).body
    const problemWith = async (value: unknown) => (await answer(value)).details.fields[ids.scan!]
    expect(await problemWith(await upload(3 * 1024 * 1024 + 1, 'application/pdf'))).toBe(
      '“Your scan” must be at most 3 MB.',
    )
    expect(await problemWith(await upload(3, 'image/png'))).toBe('“Your scan” must be a file of type application/pdf.')
    const good = await upload(3, 'application/pdf')
    expect((await answer(good)).response[ids.scan!].value).toEqual(good)
  })
})

describe('a day is the participant’s day, in conditions and scores too:', () => {
  test.each([
    ['Europe/Berlin', '2026-02-28T23:00:00Z', true], // midnight there
    ['Europe/Berlin', '2026-03-01T00:00:00Z', true], // the day as written
    ['Europe/Berlin', '2026-03-01T23:00:00Z', false],
    ['America/New_York', '2026-03-01T05:00:00Z', true],
    ['America/New_York', '2026-03-01T04:59:59Z', false],
    ['Pacific/Auckland', '2026-02-28T11:00:00Z', true],
    ['Pacific/Auckland', '2026-03-01T11:00:00Z', false],
  ])('%s %s is 1 March: %p', async (zone, value, isThatDay) => {
    const fields = [
      { code: 'day', format: 'date' },
      { code: 'moment', format: 'datetime' },
      { code: 'same', format: 'text' },
      { code: 'other', format: 'text' },
      { code: 'moved', format: 'text' },
    ]
    const { both, owner, ids, stage, components } = await form(fields, {}, zone)
    const [day, moment, same, other, moved] = components
    const when = (dataType: string, operator: string, value: string) => ({ condition: { dataType, operator, value } })
    await owner.put(`/stages/${stage}`, {
      components: [
        { ...day, scoringRules: [{ id: 'r', points: 5, operator: 'equal', value: '2026-03-01' }] },
        moment,
        { ...same, ...when(ids.day!, 'equal', '2026-03-01T00:00:00Z') },
        { ...other, ...when(ids.day!, 'notequal', '2026-03-01') },
        { ...moved, ...when(ids.moment!, 'equal', '2026-03-01') },
      ],
    })
    const later = value.replace('00Z', '01Z') // never exactly midnight in UTC
    for (const { body } of await both({ day: value, moment: later, same: 'x', other: 'x', moved: 'x' })) {
      const shown = ['same', 'other', 'moved'].filter((code) => body.response[ids[code]!])
      expect([body.score, shown]).toEqual(isThatDay ? [5, ['same', 'moved']] : [0, ['other']])
    }
  })
})

describe('the time an answer was given', () => {
  const pulse = [
    { code: 'pulse', format: 'integer' },
    { code: 'double', format: 'calculation', expression: 'pulse * 2' },
  ]
  test('is not the time at which the answer before was recorded, where that is sent back as it was read', async () => {
    const { owner, me, staffUrl, ownUrl, sent, ids, clock } = await form(pulse)
    const first = await owner.put(staffUrl, { response: sent({ pulse: 60 }) })
    const own = await me.post(ownUrl, sent({ pulse: 60 }))
    clock(HOUR)
    for (const { response } of [first, own]) response[ids.pulse!].value = 70
    const givenAt = '2026-03-02T12:30:00.000000Z'
    const after = [await owner.put(staffUrl, first), await me.post(ownUrl, own.response)]
    for (const { response } of after) {
      expect(response[ids.pulse!]).not.toHaveProperty('enteredAt')
      expect(response[ids.double!]).not.toHaveProperty('enteredAt')
    }
    for (const createdAt of ['2026-03-02', '2026-02-30T00:00:00Z', 5]) {
      const bad = { [ids.pulse!]: { value: 80, createdAt } }
      for (const { status } of [
        await owner.call('PUT', staffUrl, { response: bad }),
        await me.call('POST', ownUrl, bad),
      ])
        expect(status).toBe(422)
    }
    const body = { response: { [ids.pulse!]: { value: 80, createdAt: givenAt } } }
    expect((await owner.put(staffUrl, body)).response[ids.pulse!].enteredAt).toBe(givenAt)
  })

  test('is not in the future, but for a clock that is ahead', async () => {
    const { owner, me, staffUrl, ownUrl, ids } = await form(pulse)
    const at = (createdAt: string) => ({ [ids.pulse!]: { value: 80, createdAt } })
    for (const ask of [
      (answers: object) => owner.call('PUT', staffUrl, { response: answers }),
      (answers: object) => me.call('POST', ownUrl, answers),
    ]) {
      const { status, body } = await ask(at('2026-03-03T12:00:00.000001Z'))
      expect([status, Object.keys(body.details.fields)]).toEqual([400, [ids.pulse!]])
      expect(body.message).toContain('the future')
      const ahead = '2026-03-03T12:00:00.000000Z'
      expect((await ask(at(ahead))).body.response[ids.pulse!].enteredAt).toBe(ahead)
    }
  })
})

describe('a draft', () => {
  test.each([
    ['date', '2026-0', 200],
    ['datetime', '2026-03-02T1', 200],
    ['time', '9:', 200],
    ['date', 2026, 422],
    ['time', 930, 422],
    ['integer', '6', 422],
    ['integer', 999, 200],
    ['text', {}, 422],
  ])('of a %s keeps what was typed so far, if it is of the type: %j %d', async (format, value, status) => {
    const { owner, staffUrl, sent } = await form([
      { code: 'field', format, ...(format === 'integer' ? { max: 9 } : {}) },
    ])
    const draft = await owner.call('PUT', `${staffUrl}?draft=true`, { response: sent({ field: value }) })
    expect(draft.status).toBe(status)
    if (status === 200) expect(draft.body.response).toEqual(sent({ field: value }))
  })
})

describe('a draft of a new ad hoc entry', () => {
  test('is of no occurrence yet, whatever is submitted meanwhile, and ends with what its author submits', async () => {
    const { owner, me, mine, ownUrl, sent, trial, stage } = await form([{ code: 'pulse', format: 'integer' }], {
      adHoc: true,
    })
    const url = `/trials/${trial}/participants/${mine}`
    const save = (pulse: number, at = stage) =>
      owner.call('PUT', `${url}/responses/${at}?draft=true`, { response: sent({ pulse }) })
    const drafts = async () =>
      (await owner.get(`${url}/responses`)).drafts.map(
        (draft: { stageRecurrence: number | null; response: object }) => [draft.stageRecurrence, draft.response],
      )
    expect((await save(60)).body).toMatchObject({ stage, stageRecurrence: null, response: sent({ pulse: 60 }) })
    expect((await save(60, `${stage}::0`)).status).toBe(404)
    expect((await me.post(ownUrl, sent({ pulse: 50 }))).stageRecurrence).toBe(0)
    await save(51, `${stage}::0`)
    expect(await drafts()).toEqual([
      [null, sent({ pulse: 60 })],
      [0, sent({ pulse: 51 })],
    ])
    const entered = await owner.put(`${url}/responses/${stage}`, { response: sent({ pulse: 60 }) })
    expect(entered.stageRecurrence).toBe(1)
    expect(await drafts()).toEqual([[0, sent({ pulse: 51 })]])
    await save(62)
    await owner.delete(`${url}/draftResponses/${stage}`)
    expect(await drafts()).toEqual([[0, sent({ pulse: 51 })]])
  })
})

describe('refusals come in their order:', () => {
  const pulse = { code: 'pulse', format: 'integer', max: 200 }
  test('a stage that is not there before one who has withdrawn', async () => {
    const { owner, me, mine, trial, ownUrl, stage, sent } = await form([pulse])
    await owner.put(`/trials/${trial}/participants/${mine}`, { isWithdrawn: true })
    expect((await me.call('POST', ownUrl.replace(stage, '0'.repeat(24)), {})).status).toBe(404)
    expect((await me.call('POST', ownUrl, sent({ pulse: 60 }))).status).toBe(403)
  })

  test('a value of the wrong kind before a note that is missing', async () => {
    const { owner, trial, staffUrl, sent } = await form([pulse])
    await owner.put(`/trials/${trial}`, { signOffNoteRequired: true })
    const put = async (value: unknown) =>
      (await owner.call('PUT', staffUrl, { response: sent({ pulse: value }) })).status
    expect([await put(60), await put('x'), await put(61)]).toEqual([200, 422, 400])
  })
})

describe('a body of endless depth', () => {
  test.each([
    ['draft=true', undefined],
    ['draft=false', 'a key'],
  ])('is refused and harms nothing (%s)', async (query, key) => {
    const { owner, staffUrl, ids, faults } = await form([
      { code: 'drugs', format: 'table', columns: [{ id: 'a', label: 'Dose', format: 'integer' }] },
    ])
    const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key }
    for (const depth of [1_000, 400_000]) {
      const value = `[{"b":${'['.repeat(depth)}${']'.repeat(depth)}}]`
      const raw = `{"response":{"${ids.drugs}":{"value":${value}}}}`
      const { status, body } = await owner.call('PUT', `${staffUrl}?${query}`, undefined, { raw, headers })
      expect(status).toBe(422)
      expect(body.validations.json._schema).toEqual(['The body is nested more than 1000 deep.'])
    }
    expect(faults).toEqual([])
  })
})

test('any JSON in any format is refused in words, or reads back as it was sent, by both entries (property)', async () => {
  const { enter, signIn, owner, url, ids, sent, trial, anna, stage, faults } = await study()
  const bert = await signIn('P-2')
  const own = `/participants/trials/${trial}/stages/${stage}/responses`
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
  const unknownFile = { fileName: 'scan.pdf', name: 'Scan' }
  /** Values that differ from a good answer in one place, so that they pass the first checks. */
  const nearly = (value: unknown, other: unknown): fc.Arbitrary<unknown> => {
    if (Array.isArray(value)) return fc.constantFrom([...value, other], [other], value.slice(1), [...value, ...value])
    if (!isObject(value)) return fc.constantFrom(value, other)
    const keys = fc.constantFrom(...Object.keys(value), '__proto__', 'constructor', '')
    return keys.map((key) => JSON.parse(JSON.stringify({ ...value, [`${key}!`]: other }).replaceAll('!":', '":')))
  }
  const answer = fc
    .constantFrom(...everyFormat.map(({ code }) => code))
    .chain((code) =>
      fc
        .oneof(
          fc.jsonValue({ maxDepth: 3 }),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.string({ unit: 'binary' }),
        )
        .chain((value) =>
          fc.tuple(fc.constant(code), fc.oneof(fc.constant(value), nearly(goodAnswers[code] ?? unknownFile, value))),
        ),
    )
  await fc.assert(
    fc.asyncProperty(answer, async ([code, value]) => {
      const id = ids[code]!
      const [staff, mine] = [await enter({ [code]: value }), await bert.call('POST', own, sent({ [code]: value }))]
      expect([staff.status, staff.body.details, staff.body.validations]).toEqual([
        mine.status,
        mine.body.details,
        mine.body.validations,
      ])
      if (staff.status !== 200) {
        const problem = staff.status === 400 ? staff.body.details.fields[id] : staff.body.validations.json.response[0]
        expect(problem).toMatch(/“.+” .+\.$/s)
        return
      }
      const read = (await owner.get(`/trials/${trial}/participants/${anna}/responses`)).responses[0]
      const stored = read.response[id]?.value ?? null
      const asSent = isObject(value) && isObject(stored) && code === 'body' ? { bmi: 25, ...value } : value
      const isBlank = (each: unknown): boolean =>
        each === null ||
        (typeof each === 'string' && each.trim() === '') ||
        (isObject(each) &&
          Object.entries(each).every(([key, part]) =>
            code === 'drugs' ? isBlank(part) : code === 'body' && part === null && key in (goodAnswers.body as object),
          ))
      if (stored === null || code === 'double') expect(isBlank(value)).toBe(true)
      else expect(stored).toEqual(JSON.parse(JSON.stringify(asSent).replace('"bmi":null', '"bmi":25')))
      expect(await owner.put(url(), { response: {} })).toEqual(staff.body)
    }),
    { numRuns: 250 },
  )
  expect(faults).toEqual([])
}, 60_000)
