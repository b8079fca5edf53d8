/** Food diaries over HTTP, by staff and by participants. */
import { expect, test } from 'bun:test'
import { firstOf } from '../../present'
import { APPLE, BANANA, diaryStudy } from './diary.study'

test('an entry keeps the food, the weight of all of it and what it holds', async () => {
  const { owner, diary, breakfast, anna, now } = await diaryStudy()
  const entry = await owner.post<'createFoodDiaryEntry'>(diary, { ...breakfast, quantity: 2 })
  expect(entry).toMatchObject({
    ...breakfast,
    participant: anna,
    createdBy: owner._id,
    createdByType: 'user',
    quantity: 2,
    grams: 364,
    loggedAt: now(),
    food: { name: 'Apples, raw, with skin', brand: null, type: 'srLegacy', category: 'Fruits and Fruit Juices' },
  })
  // 52 kcal and 13.81 g of carbohydrate in 100 g; the vitamin A of this food is not known.
  expect(entry.nutrients).toMatchObject({ energy: 189.28, carbohydrate: 50.2684, vitaminB12: 0 })
  expect(entry.nutrients).not.toHaveProperty('vitaminA')
  expect((await owner.get<'listFoodDiaryEntries'>(diary)).foodDiaryEntries).toEqual([entry])
})

test('an update changes what it names: quantity, portion, meal, and another food with its values', async () => {
  const { owner, diary, breakfast, logged } = await diaryStudy()
  const first = await owner.post<'createFoodDiaryEntry'>(diary, breakfast)
  expect(await logged('createFoodDiaryEntry')).toMatchObject({
    foodDiaryEntry: first._id,
    after: { food: first.food.name },
  })
  const url = `${diary}/${first._id}` as const
  const half = await owner.put<'updateFoodDiaryEntry'>(url, { quantity: 0.5 })
  expect([half.grams, half.nutrients.energy, half.portion]).toEqual([91, 47.32, first.portion])
  expect(await logged('updateFoodDiaryEntry')).toMatchObject({
    entryId: first._id,
    before: { quantity: 1 },
    after: { quantity: 0.5 },
  })
  const slice = await owner.put<'updateFoodDiaryEntry'>(url, { portion: { size: 20, unit: 'grams' }, meal: 'snack' })
  expect([slice.portion, slice.meal, slice.grams]).toEqual([
    { size: 20, unit: 'grams', description: null },
    'snack',
    10,
  ])
  const other = await owner.put<'updateFoodDiaryEntry'>(url, { foodId: BANANA })
  expect([other.food.name, other.nutrients.energy]).toEqual(['Bananas, raw', 8.9])
  expect(await owner.put<'updateFoodDiaryEntry'>(url, other)).toEqual({ ...other, updatedAt: expect.any(String) })
  expect(await owner.delete<'deleteFoodDiaryEntry'>(url)).toEqual({})
  expect((await owner.call('PUT', url, {})).status).toBe(404)
  expect(await logged('deleteFoodDiaryEntry')).toMatchObject({ before: { food: 'Bananas, raw', meal: 'snack' } })
})

test('the list has one day, or days from the first to the last, by day and time', async () => {
  const { owner, diary, breakfast } = await diaryStudy()
  const add = (date: string, loggedAt: string) =>
    owner.post<'createFoodDiaryEntry'>(diary, { ...breakfast, date, loggedAt })
  await add('2026-02-28', '2026-03-01T08:00:00Z')
  await add('2026-02-27', '2026-02-27T19:00:00Z')
  await add('2026-02-27', '2026-02-27T08:00:00Z')
  const found = async (query: string) =>
    (await owner.get<'listFoodDiaryEntries'>(`${diary}?${query}` as `${typeof diary}?${string}`)).foodDiaryEntries.map(
      ({ date, loggedAt }) => `${date} ${loggedAt.slice(11, 16)}`,
    )
  const all = ['2026-02-27 08:00', '2026-02-27 19:00', '2026-02-28 08:00']
  for (const [query, expected] of [
    ['', all],
    ['date=2026-02-27', all.slice(0, 2)],
    ['from=2026-02-28', all.slice(2)],
    ['to=2026-02-27', all.slice(0, 2)],
    ['from=2026-02-27&to=2026-02-28', all],
    ['from=2026-03-01&to=2026-03-02', []],
    ['page=2', []],
  ] as const)
    expect([query, await found(query)]).toEqual([query, expected as string[]])
  for (const query of ['date=2026-02-30', 'date=2026-02-27&from=2026-02-27', 'from=2026-02-28&to=2026-02-27', 'page=0'])
    expect([query, (await owner.call('GET', `${diary}?${query}`)).status]).toEqual([query, 422])
})

test('what an entry may say', async () => {
  const { owner, diary, breakfast } = await diaryStudy()
  const portion = breakfast.portion
  const cases: [object, number][] = [
    [{ date: undefined }, 422],
    [{ date: '2026-02-30' }, 422],
    [{ date: '2026-03-02T00:00:00Z' }, 422],
    [{ meal: undefined }, 422],
    [{ meal: 'brunch' }, 422],
    [{ foodId: undefined }, 422],
    [{ foodId: '171688' }, 422],
    [{ foodId: 1.5 }, 422],
    [{ foodId: 0 }, 422],
    [{ foodId: 2 ** 53 }, 422],
    [{ foodId: 1 }, 400],
    [{ portion: undefined }, 422],
    [{ portion: null }, 422],
    [{ portion: { size: 100 } }, 422],
    [{ portion: { ...portion, unit: 'ounces' } }, 422],
    [{ portion: { ...portion, size: 0 } }, 422],
    [{ portion: { ...portion, size: -1 } }, 422],
    [{ portion: { ...portion, size: 1e9 } }, 422],
    [{ portion: { ...portion, description: 'x'.repeat(201) } }, 422],
    [{ portion: { ...portion, description: 'half \ud83c' } }, 422],
    [{ portion: { ...portion, colour: 'red' } }, 422],
    [{ quantity: 0 }, 422],
    [{ quantity: null }, 422],
    [{ quantity: 1001 }, 422],
    [{ loggedAt: '2026-03-02' }, 422],
    [{ loggedAt: '2031-03-02T08:00:00Z' }, 400],
    [{ date: '2031-03-02' }, 400],
    [{ recipe: 'pie' }, 422],
    [{ portion: { ...portion, description: null } }, 200],
    [{ portion: { size: 0.5, unit: 'grams' }, quantity: 0.25 }, 200],
  ]
  for (const [change, status] of cases) {
    const { status: got, body } = await owner.call('POST', diary, { ...breakfast, ...change })
    expect([change, got]).toEqual([change, status])
    if (status !== 200) expect(body.message).toBeString()
  }
  expect((await owner.get<'listFoodDiaryEntries'>(diary)).foodDiaryEntries).toHaveLength(2)
})

test('participants write, see, change and delete their own entries, and see those of the team', async () => {
  const { owner, diary, breakfast, signIn, anna } = await diaryStudy()
  const own = '/participants/foodDiaryEntries' as const
  const me = await signIn()
  const byTeam = await owner.post<'createFoodDiaryEntry'>(diary, breakfast)
  const mine = await me.do('createOwnFoodDiaryEntry', { ...breakfast, meal: 'lunch', foodId: BANANA })
  expect(mine).toMatchObject({ createdBy: anna, createdByType: 'participant', meal: 'lunch' })
  expect(
    (await me.do('listOwnFoodDiaryEntries', { date: '2026-03-02' })).foodDiaryEntries.map(({ _id }) => _id),
  ).toEqual([byTeam._id, mine._id])
  expect((await me.do('updateOwnFoodDiaryEntry', mine._id, { quantity: 3 })).grams).toBe(546)
  for (const method of ['PUT', 'DELETE'] as const) {
    const refused = await me.call(method, `${own}/${byTeam._id}`, method === 'PUT' ? { quantity: 3 } : undefined)
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('study team')])
  }
  expect((await owner.get<'listFoodDiaryEntries'>(diary)).foodDiaryEntries.map(({ quantity }) => quantity)).toEqual([
    1, 3,
  ])
  expect(await me.do('deleteOwnFoodDiaryEntry', mine._id)).toEqual({})
  expect((await me.do('listOwnFoodDiaryEntries')).foodDiaryEntries).toHaveLength(1)
})

test('other people’s entries are 404; a withdrawn participant adds nothing', async () => {
  const { owner, diary, breakfast, signIn, anna, bert, of, coordinator, trial } = await diaryStudy()
  const own = '/participants/foodDiaryEntries' as const
  const of2 = `${of(bert)}/foodDiaryEntries` as const
  const foreign = await owner.do('createFoodDiaryEntry', trial, bert, breakfast)
  const me = await signIn()
  const mine = await me.do('createOwnFoodDiaryEntry', breakfast)
  expect((await me.call('PUT', `${own}/${foreign._id}`, {})).status).toBe(404)
  expect((await me.call('DELETE', `${own}/${foreign._id}`)).status).toBe(404)
  expect((await owner.call('PUT', `${of2}/${mine._id}`, {})).status).toBe(404)
  const north = coordinator()
  expect((await north.call('GET', of2)).status).toBe(404)
  expect((await north.call('PUT', `${of2}/${foreign._id}`, { quantity: 2 })).status).toBe(404)
  expect((await north.put<'updateFoodDiaryEntry'>(`${diary}/${mine._id}`, { quantity: 2 })).quantity).toBe(2)
  await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
  expect((await me.call('POST', own, breakfast)).status).toBe(403)
  expect((await me.call('PUT', `${own}/${mine._id}`, { quantity: 1 })).status).toBe(403)
  expect((await owner.post<'createFoodDiaryEntry'>(diary, breakfast)).createdByType).toBe('user')
})

test('permissions, the setting of the trial, the feature of the team, and the lock', async () => {
  const { owner, diary, breakfast, search, staff, trial, team, signIn, lockDatabase } = await lockable()
  const reader = staff(trial, ['trial.readParticipants', 'trial.readParticipantStudyData'])
  const entry = await owner.post<'createFoodDiaryEntry'>(diary, breakfast)
  expect((await reader.get<'listFoodDiaryEntries'>(diary)).foodDiaryEntries).toHaveLength(1)
  expect((await reader.call('POST', diary, breakfast)).status).toBe(403)
  expect((await reader.call('GET', `${search}?q=apple`)).status).toBe(403)
  expect((await staff(trial, ['trial.readParticipants']).call('GET', diary)).status).toBe(403)
  const me = await signIn()
  await owner.do('updateTrial', trial, { foodDiariesEnabled: false })
  for (const who of [owner, me]) expect((await who.call('GET', `${search}?q=apple`)).status).toBe(400)
  expect((await owner.call('POST', diary, breakfast)).body.message).toContain('foodDiariesEnabled')
  expect((await me.call('POST', '/participants/foodDiaryEntries', breakfast)).status).toBe(400)
  expect((await owner.get<'listFoodDiaryEntries'>(diary)).foodDiaryEntries).toHaveLength(1)
  await owner.do('updateTrial', trial, { foodDiariesEnabled: true })
  await owner.do('updateTeam', team, { features: { foodDiaries: false } })
  for (const url of [diary, `${search}?q=apple`, `/trials/${trial}/responses?type=csv&dataset=foodDiary`])
    expect([url, (await owner.call('GET', url)).body.details]).toMatchObject([url, { feature: 'foodDiaries' }])
  await owner.do('updateTeam', team, { features: { foodDiaries: true } })
  await lockDatabase()
  for (const [method, url, body] of [
    ['POST', diary, breakfast],
    ['PUT', `${diary}/${entry._id}`, { quantity: 2 }],
    ['DELETE', `${diary}/${entry._id}`, undefined],
  ] as const) {
    const { status, body: refusal } = await owner.call(method, url, body)
    expect([status, refusal.message]).toEqual([403, expect.stringContaining('database is locked')])
  }
  expect((await me.call('POST', '/participants/foodDiaryEntries', breakfast)).status).toBe(403)
  expect((await owner.get<'listFoodDiaryEntries'>(diary)).foodDiaryEntries).toEqual([entry])
})

/** The study, and what locks its database. */
async function lockable() {
  const s = await diaryStudy()
  const lockDatabase = () => {
    s.db.$client.run('UPDATE trials SET isDatabaseLocked = 1 WHERE _id = ?', [s.trial])
  }
  return { ...s, lockDatabase }
}

test('the same Idempotency-Key adds one entry, also of requests that arrive together', async () => {
  const { owner, diary, breakfast } = await diaryStudy()
  const headers = { 'Idempotency-Key': 'breakfast-1' }
  const answers = await Promise.all([1, 2, 3].map(() => owner.call('POST', diary, breakfast, { headers })))
  expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1)
  await Promise.all([1, 2].map(() => owner.call('POST', diary, breakfast)))
  expect((await owner.get<'listFoodDiaryEntries'>(diary)).foodDiaryEntries).toHaveLength(3)
})

test('an erasure takes the description of portions out of entries and log, and leaves the rest', async () => {
  const { owner, diary, breakfast, anna, db, trial } = await diaryStudy()
  const entry = await owner.post<'createFoodDiaryEntry'>(diary, {
    ...breakfast,
    portion: { ...breakfast.portion, description: 'Mary’s bowl' },
  })
  await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
  await owner.do('erasePersonalInformation', trial, anna, { reason: 'asked us by letter' })
  const kept = firstOf((await owner.get<'listFoodDiaryEntries'>(diary)).foodDiaryEntries)
  expect(kept).toEqual({ ...entry, portion: { ...entry.portion, description: null } })
  const texts = db.$client.query('SELECT personal FROM auditEntries WHERE participant = ?').all(anna)
  expect(JSON.stringify(texts)).not.toContain('Mary')
  expect(entry.foodId).toBe(APPLE)
})

test('who reads the log but not the study data sees that an entry was made, and not what was eaten', async () => {
  const { owner, diary, breakfast, staff, trial } = await diaryStudy()
  const entry = await owner.post<'createFoodDiaryEntry'>(diary, breakfast)
  await owner.put<'updateFoodDiaryEntry'>(`${diary}/${entry._id}`, { quantity: 2 })
  await owner.delete<'deleteFoodDiaryEntry'>(`${diary}/${entry._id}`)
  const types = ['createFoodDiaryEntry', 'updateFoodDiaryEntry', 'deleteFoodDiaryEntry']
  const seen = async (keys: string[]) => {
    const reader = staff(trial, ['trial.readLogs', 'trial.readParticipants', ...keys])
    const { entries } = await reader.do('readLogs', trial)
    return entries.filter(({ type }) => types.includes(type)).map(({ event }) => event)
  }
  const all = await seen(['trial.readParticipantStudyData'])
  expect(all).toHaveLength(3)
  for (const event of all) expect(event).toHaveProperty('before')
  const few = await seen(['trial.readParticipantPersonalInformation'])
  expect(few).toHaveLength(3)
  for (const event of few) for (const field of ['before', 'after', 'personal']) expect(event).not.toHaveProperty(field)
  const csv = (await staff(trial, ['trial.readLogs']).do('readLogs', trial, { format: 'csv' })).csv
  expect(csv).not.toContain('Apples')
})
