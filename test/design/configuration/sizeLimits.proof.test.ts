/** A trial has a limited number of data types and stages, however they come. */
import { expect, test } from 'bun:test'
import { world } from '../../harness'

test('a trial may have 20,000 data types and 2,000 stages, and no more', async () => {
  const { db, owner, trial: makeTrial } = world()
  const [trial, other] = [makeTrial(), makeTrial()]
  const run = (sql: string) => db.$client.run(sql)
  const numbers = (most: number) =>
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${most})`
  run(`${numbers(19_999)} INSERT INTO dataTypes (_id, createdAt, trial, name, code, format, settings)
       SELECT printf('%024x', n), 0, '${trial}', 'Field', 'f' || n, 'text', '{}' FROM numbers`)
  run(`${numbers(1_999)} INSERT INTO stages (_id, createdAt, trial, "index", name)
       SELECT printf('%024x', n), 0, '${trial}', n - 1, 'Form' FROM numbers`)

  const field = (name: string) => owner.call('POST', `/trials/${trial}/data-types`, { name, format: 'text' })
  const stages = `/trials/${trial}/stages` as const
  const tooMany = (what: string, most: number) => ({
    status: 400,
    body: {
      message: `A trial may have ${most} ${what}; this one would have ${most + 1}.`,
      details: { most, count: most + 1 },
    },
  })
  expect((await field('last')).status).toBe(200)
  expect(await field('one more')).toMatchObject(tooMany('data types', 20_000))

  const { _id: dataType } = await owner.do('createDataType', other, { name: 'weight', format: 'float' })
  const components = [{ id: 'w', dataType, title: 'Weight' }]
  const { _id: copyFrom } = await owner.do('createStage', other, { name: 'Visit', components })
  expect(await owner.call('POST', stages, { copyFrom })).toMatchObject(tooMany('data types', 20_000))
  const content = 'Variable / Field Name,Form Name,Field Type,Field Label\na,visit,text,A\n'
  const importData = { source: 'redcap' as const, content }
  expect(await owner.call('POST', `${stages}?creationType=importFromExternalTool`, { importData })).toMatchObject(
    tooMany('data types', 20_000),
  )

  expect((await owner.call('POST', stages, { name: 'Last' })).status).toBe(200)
  expect(await owner.call('POST', stages, { name: 'One more' })).toMatchObject(tooMany('stages', 2_000))
})
