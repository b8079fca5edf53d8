/** Answers to fields with patterns: none holds the server up, and none is lost to a pattern of an older version. */
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { dataTypes } from '#db/tables/index'
import { unreadablePatterns } from '#design/dataTypes/storedPatterns'
import { form } from '../../form'
import { fromSource, runProgram } from '../../program'

// These passed the guard of a matcher that tries all ways, and held the process for seconds to minutes.
test('an answer that would take a backtracking matcher very long is refused like any other', async () => {
  const pattern = '(?:a??){23}a{23}x'
  const { both } = await form([{ code: 'field', format: 'text', pattern }])
  for (const { status, body } of await both({ field: 'a'.repeat(200) })) {
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(`must be in the form ${pattern}`)
  }
  for (const { status } of await both({ field: `${'a'.repeat(30)}x` })) expect(status).toBe(200)
})

test('a repeat of nothing thousands of times is refused when it is saved, and a stored one holds no answer up', async () => {
  const { db, owner, trial, both, ids } = await form([{ code: 'field', format: 'text' }])
  const pattern = '\\b{9999}^3'
  const { status, body } = await owner.call('PUT', `/data-types/${ids.field}`, { pattern })
  expect({ status, problem: body.validations.json.pattern[0] }).toEqual({
    status: 422,
    problem: 'Takes more than 1000 steps for each character, which is the limit: repeat less often.',
  })
  db.update(dataTypes).set({ settings: { pattern } }).where(eq(dataTypes._id, ids.field!)).run()
  await owner.do('updateTrial', trial, { name: 'Read anew' })
  for (const { status } of await both({ field: 'a a 3'.repeat(40) })) expect(status).toBe(200)
})

test('a table of many costly cells is refused before they are checked; one that people fill in is not', async () => {
  const column = { id: 'a', label: 'Word', format: 'text', pattern: '(?:\\w?){400}' }
  const { both } = await form([{ code: 'field', format: 'table', columns: [column] }])
  const rows = (count: number) => Array.from({ length: count }, () => ({ a: 'é'.repeat(200) }))
  for (const { status, body } of await both({ field: rows(1000) })) {
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(
      'takes too long to check against its pattern together with the other answers',
    )
  }
  const words = Array.from({ length: 20 }, () => ({ a: 'word' }))
  for (const { status } of await both({ field: words })) expect(status).toBe(200)
})

test('a table as large as people fill in has room for its patterns', async () => {
  const columns = Array.from({ length: 20 }, (_, n) => ({
    id: `c${n}`,
    label: `Column ${n}`,
    format: 'text',
    pattern: `\\d{5}(-\\d{4})?|${n}`,
  }))
  const { both } = await form([{ code: 'field', format: 'table', columns }])
  const row = Object.fromEntries(columns.map(({ id }) => [id, '12345']))
  for (const { status } of await both({ field: Array.from({ length: 1000 }, () => row) })) expect(status).toBe(200)
})

test('a pattern that cannot be matched is refused when it is saved', async () => {
  const { owner, trial, ids } = await form([{ code: 'field', format: 'text' }])
  const pattern = '(?=.*\\d).{8}'
  for (const [method, url, body] of [
    ['PUT', `/data-types/${ids.field}`, { pattern }],
    ['POST', `/trials/${trial}/data-types`, { name: 'Other', format: 'text', pattern }],
  ] as const) {
    const { status, body: told } = await owner.call(method, url, body)
    expect(status).toBe(422)
    expect(told.validations.json.pattern[0]).toStartWith('Look-ahead and look-behind, such as (?=…)')
    expect((await owner.do('readDataType', ids.field)).pattern).toBeUndefined()
  }
})

test('a stored pattern that is no longer possible is kept, named, and holds no answer up', async () => {
  const { db, directory, owner, both, ids, trial } = await form([{ code: 'field', format: 'text' }])
  const stored = { pattern: '(a)\\1' }
  db.update(dataTypes).set({ settings: stored }).where(eq(dataTypes._id, ids.field!)).run()
  await owner.do('updateTrial', trial, { name: 'Read anew' })
  for (const { status } of await both({ field: 'aa' })) expect(status).toBe(200)
  for (const { status } of await both({ field: 'a'.repeat(201) })) expect(status).toBe(400)
  expect(await owner.do('readDataType', ids.field)).toMatchObject(stored)
  const { code } = await owner.do('readTrial', trial)
  const [found, ...others] = unreadablePatterns(db)
  expect(others).toEqual([])
  expect(found).toMatchObject({ trial: code, code: 'field', problem: expect.stringContaining('such as \\1') })
  const doctor = await runProgram(fromSource, 'doctor', '--data', directory, '--port', '0')
  expect(doctor.code).toBe(1)
  expect(doctor.out).toContain(
    `fault  pattern          of field in trial ${code}: answers are taken without it. References to`,
  )
  // Whoever edits the field is asked for another pattern.
  expect((await owner.call('PUT', `/data-types/${ids.field}`, { name: 'New' })).status).toBe(422)
  expect((await owner.call('PUT', `/data-types/${ids.field}`, { name: 'New', pattern: 'aa' })).status).toBe(200)
})
