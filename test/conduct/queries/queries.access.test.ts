import { describe, expect, test } from 'bun:test'
import { queryStudy } from './queries.study'

describe('a query is refused', () => {
  test.each([
    [422, { text: '' }],
    [422, { text: undefined }],
    [422, { response: 'x' }],
    [404, { response: '0'.repeat(24) }],
    [400, { dataType: '0'.repeat(24) }],
    [400, { assignees: ['0'.repeat(24)] }],
  ])('%d: %j', async (expected, body) => {
    const s = await queryStudy()
    expect((await s.raise(body)).status).toBe(expected)
    expect(await s.list()).toEqual([])
  })

  test('assignees must be able to read the response', async () => {
    const s = await queryStudy()
    const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
    const local = s.staff(s.trial, ['site.read'], site)
    expect((await s.raise({ assignees: [local._id] })).status).toBe(400)
    await s.owner.do('addSiteMember', site, s.anna)
    expect((await s.raise({ assignees: [local._id] })).status).toBe(200)
    expect((await s.raise({ assignees: [s.staff(s.trial, ['trial.readFiles'])._id] })).status).toBe(400)
  })

  test('reading and writing need their permission; another team sees nothing', async () => {
    const s = await queryStudy()
    const { body } = await s.raise()
    const reader = s.staff(s.trial, ['trial.readParticipantStudyData'])
    const outsider = s.staff(s.trial, ['trial.readFiles'])
    const stranger = s.neighbours().owner
    const at = `/queries/${body._id}`
    const calls: [string, string, object?][] = [
      ['GET', s.all],
      ['GET', at],
      ['POST', s.all, { response: s.response, text: 'Why?' }],
      ['PUT', at, { status: 'answered' }],
      ['POST', `${at}/messages`, { text: 'So.' }],
    ]
    for (const [index, [method, url, sent]] of calls.entries()) {
      const status = async (by: { call: typeof reader.call }) => (await by.call(method, url, sent)).status
      expect(await status(reader)).toBe(index < 2 ? 200 : 403)
      expect(await status(outsider)).toBe(403)
      expect(await status(stranger)).toBe(404)
      expect(await status(s.nobody)).toBe(401)
    }
  })
})

describe('the visibility of a query', () => {
  test('only people who see its field see it', async () => {
    const s = await queryStudy()
    const { body } = await s.raise()
    const open = (await s.raise({ dataType: s.ids.symptom })).body
    const whole = (await s.raise({ dataType: null })).body
    const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
    const other = (await s.owner.do('createSite', s.trial, { name: 'South', id: 'S1' }))._id
    await s.owner.do('addSiteMember', site, s.anna)
    await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: true })
    const restricted = 'trial.readParticipantStudyDataRestricted'
    const reader = s.staff(s.trial, ['trial.read'])
    const trusted = s.staff(s.trial, ['trial.read', restricted])
    const local = s.staff(s.trial, ['site.read', 'site.readParticipantStudyDataRestricted'], site)
    const elsewhere = s.staff(s.trial, ['site.read', 'site.readParticipantStudyDataRestricted'], other)
    const all = [whole._id, open._id, body._id]
    expect(await s.list('', s.owner)).toEqual(all)
    expect(await s.list('', reader)).toEqual(all.slice(0, 2))
    expect(await s.list('', trusted)).toEqual(all)
    expect(await s.list('', local)).toEqual(all)
    expect(await s.list('', elsewhere)).toEqual([])
    expect((await reader.call('GET', `/queries/${body._id}`)).status).toBe(404)
    expect((await elsewhere.call('GET', `/queries/${open._id}`)).status).toBe(404)
    const { queries } = await reader.do('readResponse', s.trial, s.response)
    expect(queries.map(({ _id }) => _id)).toEqual([open._id, whole._id])
    // Nobody can raise a query on a field that is hidden from them, or learn that the field exists.
    expect((await s.raise({}, s.nurse)).status).toBe(400)
    await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: false, isPii: true })
    expect(await s.list('', trusted)).toEqual(all.slice(0, 2))
  })

  test('lists are filtered and paged', async () => {
    const s = await queryStudy()
    const bert = (await s.enter({ pulse: 60 }, {}, s.owner, s.url(s.bert))).body._id
    const one = (await s.raise({ assignees: [s.nurse._id] })).body._id
    const two = (await s.raise({ response: bert })).body._id
    const three = (await s.raise()).body._id
    await s.monitor.do('updateQuery', three, { status: 'closed' })
    expect(await s.list()).toEqual([three, two, one])
    expect(await s.list('?status=open')).toEqual([two, one])
    expect(await s.list(`?participant=${s.bert}`)).toEqual([two])
    expect(await s.list(`?response=${s.response}&status=closed`)).toEqual([three])
    expect(await s.list(`?assignee=${s.nurse._id}`)).toEqual([one])
    expect(await s.monitor.do('listQueries', s.trial, { perPage: 2 })).toMatchObject({
      page: 1,
      nextPageAvailable: true,
    })
    expect(await s.list('?perPage=2&page=2')).toEqual([one])
    expect((await s.monitor.call('GET', `${s.all}?perPage=201`)).status).toBe(422)
  })
})
