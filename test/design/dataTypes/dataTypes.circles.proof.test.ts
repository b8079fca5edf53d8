import { describe, expect, test } from 'bun:test'
import { study } from './dataTypes.study'

describe('calculations in a circle', () => {
  const circle = (...names: string[]) =>
    `These depend on each other in a circle: ${names.map((name) => `“${name}”`).join(' → ')}.`
  const calculation = (name: string, expression: string) => ({ name, format: 'calculation', expression })
  const number = { name: 'A', format: 'float' }
  const [ab, bc] = [calculation('A', 'b + 1'), calculation('B', 'c + 1')]

  // What is saved first, what is sent (a change, if it has the index of what it changes), and the circle that this closes.
  const cases: [string, object[], { at?: number } & Record<string, unknown>, string[] | null][] = [
    ['one that names itself', [], calculation('Loop', 'loop + 1'), ['Loop', 'Loop']],
    ['in any case of letters', [], { ...calculation('Loop', 'LOOP.x + 1'), code: 'looP' }, ['Loop', 'Loop']],
    ['two', [ab], calculation('B', 'a * 2'), ['B', 'A', 'B']],
    ['three', [ab, bc], calculation('C', 'if(a > 1, 1, 2)'), ['C', 'A', 'B', 'C']],
    ['by a part', [ab], calculation('B', 'max(1, a["x"])'), ['B', 'A', 'B']],
    ['a changed expression', [number, ab], { at: 0, format: 'calculation', expression: 'a_2' }, null],
    ['a changed format', [{ ...number, name: 'B' }, ab], { at: 0, ...calculation('B', 'a') }, ['B', 'A', 'B']],
    ['a change to itself', [ab], { at: 0, expression: 'a' }, ['A', 'A']],
    ['a changed code', [ab, calculation('X', 'a')], { at: 1, code: 'b' }, ['X', 'A', 'X']],
    ['its own new code', [ab], { at: 0, code: 'B' }, ['A', 'A']],
    ['a number of that code', [ab, calculation('X', 'a')], { ...number, code: 'b' }, null],
    ['one above another', [ab, bc], calculation('D', 'a + b + c'), null],
    ['one that was in a circle no more', [ab], { at: 0, expression: 'b + 2', code: 'z' }, null],
    ['the same code again', [{ ...number, name: 'A' }], { ...calculation('New', '1'), code: 'x' }, null],
  ]
  test.each(cases)('%s', async (_, before, { at, ...sent }, names) => {
    const { owner, url, db, trial } = study()
    const ids: string[] = []
    for (const each of before) ids.push((await owner.do('createDataType', trial, each))._id)
    const entries = () =>
      db.$client.query(`SELECT count(*) AS count FROM auditEntries WHERE type <> 'changeRows'`).get()
    const [known, told] = [await owner.do('listDataTypes', trial), entries()]
    const { status, body } = await (at === undefined
      ? owner.call('POST', url, sent)
      : owner.call('PUT', `/data-types/${ids[at]}`, sent))
    if (!names) return expect(status).toBe(200)
    expect([status, body.validations?.json]).toEqual([422, { expression: [circle(...names)] }])
    expect([await owner.do('listDataTypes', trial), entries()]).toEqual([known, told])
  })

  test('are looked for in one trial only', async () => {
    const { owner, makeTrial, trial } = study()
    await owner.do('createDataType', trial, ab)
    await owner.do('createDataType', makeTrial(), calculation('B', 'a'))
  })

  test('are found whatever their length', async () => {
    const { owner, url, trial } = study()
    for (let n = 0; n < 300; n++) await owner.do('createDataType', trial, calculation(`N${n}`, `n${n + 1} + 1`))
    const { status, body } = await owner.call('POST', url, calculation('N300', 'n0'))
    expect(status).toBe(422)
    expect(body.validations.json.expression[0].split(' → ')).toHaveLength(302)
    await owner.do('createDataType', trial, calculation('N300', '7'))
  }, 180_000)
})
