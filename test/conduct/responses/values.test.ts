/** The checks of answers are the same for staff and participants, and their messages are readable. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { textFaults } from '#kernel/text'
import { type Field, form } from '../../form'
import { firstOf } from '../../present'
import { runs } from '../../proof'
import { everyFormat, goodAnswers, study } from '../../study'

describe('values that are accepted, and the messages for others, from staff and participants:', () => {
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
      const { both, ids } = await form([{ code: 'field', ...settings } as Field])
      for (const { status, body } of await both({ field: value })) {
        const place = body.details?.fields?.[ids.field!]
        const found = status === 422 ? body.validations.json.response[0] : place
        if (status === 422) expect(`field: ${place}`).toBe(found)
        expect({ problem: found, value: body.response?.[ids.field!].value }).toEqual({
          problem,
          value: problem ? undefined : value,
        })
        expect(status).toBe(problem === undefined ? 200 : body.validations ? 422 : 400)
      }
    })
  }

  test('a table with empty rows only is blank', async () => {
    const { both, ids, owner, stage, components } = await form([{ code: 'drugs', ...table }])
    const change = (more: object) => owner.do('updateStage', stage, { components: [{ ...components[0], ...more }] })
    for (const { body } of await both({ drugs: [{}, { a: '' }] })) expect(body.response).toEqual({})
    await change({ isRequired: true })
    for (const { status, body } of await both({ drugs: [{}, { a: null }] })) {
      expect(status).toBe(400)
      expect(body.details.fields).toEqual({ [ids.drugs!]: '“Your drugs” is required.' })
    }
  })

  test('messages name a file field by its title in the form, and sizes with their unit', async () => {
    const { me, fetch, ids, ownUrl, sent } = await form([
      { code: 'scan', format: 'file', maxSize: 3 * 1024 * 1024, mimeTypes: ['application/pdf'] },
    ])
    const upload = async (size: number, type: string) => {
      const question = new URLSearchParams({ name: 'a', size: `${size}`, type, forType: 'participant' })
      const { signedRequestURL, fileName } = await me.get<'requestFileUpload'>(`/uploads/file/request?${question}`)
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

describe('dates are days of the participant’s time zone, in conditions and scores too:', () => {
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
    await owner.do('updateStage', stage, {
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

describe('a body of great depth', () => {
  test.each([
    ['draft=true', undefined],
    ['draft=false', 'a key'],
  ])('is refused without harm (%s)', async (query, key) => {
    const { owner, staffUrl, ids } = await form([
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
  })
})

test('any JSON in any format is refused with a message, or read as it was sent, by staff and participants (property)', async () => {
  const { enter, signIn, owner, url, ids, sent, trial, anna, stage } = await study()
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
  const answer = fc.constantFrom(...everyFormat.map(({ code }) => code)).chain((code) =>
    fc
      .oneof(
        fc.jsonValue({ maxDepth: 3 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        // NUL is refused in any body, under the body's own field: the test of all operations is about that.
        fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ' ')),
      )
      .chain((value) =>
        fc.tuple(fc.constant(code), fc.oneof(fc.constant(value), nearly(goodAnswers[code] ?? unknownFile, value))),
      ),
  )
  await fc.assert(
    fc.asyncProperty(answer, async ([code, value]) => {
      const id = ids[code]!
      const [staff, mine] = [await enter({ [code]: value }), await bert.call('POST', own, sent({ [code]: value }))]
      if (textFaults(value).length) {
        // Such as NUL: the body is refused before its answers are looked at.
        expect([staff.status, mine.status]).toEqual([422, 422])
        return
      }
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
      const read = firstOf((await owner.do('readParticipantResponses', trial, anna)).responses)
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
      expect(await owner.put<'enterResponse'>(url(), { response: {} })).toEqual(staff.body)
    }),
    { numRuns: runs(250) },
  )
}, 180_000)
