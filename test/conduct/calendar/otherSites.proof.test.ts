/** The schedule of an account of one site tells nothing of the participants of others, however many there are. */
import { expect, test } from 'bun:test'
import { sortId } from '#conduct/participants/rules'
import { insert } from '#db/rows'
import { participantSites, participants, scheduleRuns } from '#db/tables/index'
import { type Id, newId } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { scheduleStudy } from './schedule.study'

const DAY = 'from=2026-03-05T00:00:00Z&to=2026-03-05T20:00:00Z'
const opensAt = parseInstant('2026-03-05T09:00:00Z')!

/** A study in which so many further participants of each site have a visit at the same moment, those of the north first. */
async function crowdedStudy(inNorth: number, inSouth: number) {
  const s = await scheduleStudy()
  const { db, trial, north, south, stages } = s
  const origin = parseInstant('2026-03-05T10:00:00Z')! // by the clocks of Berlin
  const add = (site: Id, n: number): Id => {
    const _id = newId(opensAt + n)
    const id = `C-${n}`
    insert(db, participants, { _id, createdAt: opensAt, trial, id, idSort: sortId(id), progressDueAt: null })
    insert(db, participantSites, { participant: _id, site })
    const run = { participant: _id, stage: stages.visit, first: 0, last: 0, zone: 'Europe/Berlin' }
    insert(db, scheduleRuns, { ...run, origin, firstAt: opensAt })
    return _id
  }
  const visible = db.$client.transaction(() => {
    for (let n = 0; n < inNorth; n++) add(north, n)
    return Array.from({ length: inSouth }, (_, n) => add(south, inNorth + n))
  })()
  const places = [...visible, s.people[1], ''] // of South before; '' is the beginning of a form
  return { ...s, visible, places }
}

const participantIn = (after: string) => JSON.parse(Buffer.from(after.split(' ')[1]!, 'base64url').toString())[4]

// Of few participants, the runs of each are read; of many, those of the day.
test.each([3, 130])('with %p visits of its own after 4,100 of another site', async (own) => {
  const { staff, trial, south, schedule, stages, visible, places } = await crowdedStudy(4_100, own)
  const coordinator = staff(trial, ['site.read'], south)
  const found: string[] = []
  for (let after = ''; ; ) {
    const { body } = await coordinator.call('GET', `${schedule}?type=visit&${DAY}${after}`)
    found.push(
      ...body.schedule.flatMap((each: { stage: Id; participant: Id }) =>
        each.stage === stages.visit ? each.participant : [],
      ),
    )
    if (!body.more.length) break
    expect(places).toContain(participantIn(body.more[0].after))
    after = `&after=${encodeURIComponent(body.more[0].after)}`
  }
  expect(found.toSorted()).toEqual(visible.toSorted())
  const overview = await coordinator.call('GET', `${schedule}?${DAY}`)
  for (const { after } of overview.body.more) expect(places).toContain(participantIn(after))
})

test('an account whose participants have nothing that day is told of nothing more', async () => {
  const { staff, trial, arm, schedule } = await crowdedStudy(4_100, 0)
  const { body } = await staff(trial, ['group.read'], arm).call('GET', `${schedule}?type=visit&${DAY}`)
  expect([body.schedule.length, body.more]).toEqual([1, []]) // the diary of P-3
})
