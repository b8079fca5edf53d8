import { describe, expect, test } from 'bun:test'
import { world } from '../../harness'
import { until } from '../../until'
import { demo, filled, PEOPLE, participantsOf, stoppedIn, url } from './demoTrial.study'

describe('POST /teams/:teamId/trials?creationType=demo', () => {
  test('returns the trial, with its creator as admin', async () => {
    const here = world()
    const creator = here.invite(['trials.create'])
    const made = await creator.post<'createTrial'>(url(here.team))
    expect(made).toMatchObject({ name: 'Asthma control study (demo)', code: 'asthma-control-study', team: here.team })
    expect(made).toMatchObject({ dataTypeCount: 32, stageCount: 7, studyAcronym: 'BREEZE', timezone: 'Europe/London' })
    const people = (await creator.do('listPeople', made._id)).users
    expect(people.find(({ _id }) => _id === creator._id)?.permissions).toEqual({
      [made._id]: ['trial.admin'],
    })
    await filled(here, made._id)
  })

  test('ignores any body', async () => {
    const here = world()
    for (const raw of ['{"name": 7, "nonsense": true}', '{"copyFrom": "000000000000000000000000"}', 'no JSON']) {
      expect((await here.owner.post(url(here.team), undefined, { raw })).name).toBe('Asthma control study (demo)')
    }
    const { status } = await here.owner.call('POST', `/teams/${here.team}/trials?creationType=other`, { name: 'Other' })
    expect(status).toBe(422)
    expect((await here.owner.call('POST', `/teams/${here.team}/trials`, {})).status).toBe(422)
  })

  test('creates another trial each time, with its own code and configuration and the same participants', async () => {
    const here = world()
    const first = await demo(here)
    const second = await demo(here)
    expect(second.trial.code).toBe('asthma-control-study-2')
    expect(second.trial.responseCount).toBe(first.trial.responseCount)
    const [one, two] = [await participantsOf(here, first.trial._id), await participantsOf(here, second.trial._id)]
    const told = (each: Record<string, unknown>) => [each.id, each.name, each.dob, each.progress]
    expect(two.map(told)).toEqual(one.map(told))
    const both = [...one, ...two].map(({ _id }) => _id)
    expect(new Set(both).size).toBe(2 * PEOPLE)
    const content = JSON.stringify(await here.owner.do('listStages', second.trial._id))
    for (const { _id } of (await here.owner.do('listDataTypes', first.trial._id)).dataTypes) {
      expect(content).not.toContain(_id)
    }
    await here.owner.do('deleteTrial', first.trial._id)
    expect((await here.owner.do('readTrial', second.trial._id)).participantCount).toBe(PEOPLE)
  })

  test('creates one trial for a repeated request with its Idempotency-Key', async () => {
    const here = world()
    const again = { headers: { 'Idempotency-Key': 'once' } }
    const made = await here.owner.post(url(here.team), {}, again)
    expect((await here.owner.post(url(here.team), {}, again))._id).toBe(made._id)
    await filled(here, made._id)
    // A participant that is being added is in the database after the next commit.
    await here.service.services.commit((): unknown => undefined)
    expect((await here.owner.do('readTrial', made._id)).participantCount).toBe(PEOPLE)
    expect((await here.owner.do('listTrials', here.team)).trials).toHaveLength(1)
  })

  test('is for members of the team who may create trials', async () => {
    const here = world()
    const neighbours = here.neighbours()
    expect((await here.nobody.call('POST', url(here.team))).status).toBe(401)
    expect((await here.invite([]).call('POST', url(here.team))).status).toBe(403)
    expect((await neighbours.owner.call('POST', url(here.team))).status).toBe(404)
    expect((await here.owner.do('listTrials', here.team)).trials).toEqual([])
    const { trial } = await demo(here)
    expect((await neighbours.owner.call('GET', `/trials/${trial._id}`)).status).toBe(404)
  })

  test('adds no more participants than the team may register', async () => {
    const here = world()
    here.db.$client.run('UPDATE teams SET participantLimit = 3')
    const stopped = stoppedIn(here)
    const { _id } = await here.owner.post<'createTrial'>(url(here.team))
    await until(() => stopped() === 1)
    expect((await here.owner.do('readTrial', _id)).participantCount).toBe(3)
  })

  test('adds no more participants after the trial is changed or deleted meanwhile', async () => {
    const here = world()
    const stopped = stoppedIn(here)
    const changed = await here.owner.post<'createTrial'>(url(here.team))
    await here.owner.do('createGroup', changed._id, { name: 'My own' })
    const deleted = await here.owner.post<'createTrial'>(url(here.team))
    await here.owner.do('deleteTrial', deleted._id)
    await until(() => stopped() === 2)
    expect((await here.owner.do('readTrial', changed._id)).participantCount).toBeLessThan(PEOPLE)
    expect((await here.owner.call('GET', `/trials/${deleted._id}`)).status).toBe(404)
  })
})
