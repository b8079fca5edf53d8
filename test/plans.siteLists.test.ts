/** The list of one site, and its part of the schedule, come from indexes: the cost does not grow with the trial. */
import { expect, test } from 'bun:test'
import { scheduleStudy } from './conduct/calendar/schedule.study'
import { sorts, study } from './conduct/participants/participantList.study'
import { collectStatements, explained, scans } from './plan'

const INDEXES = {
  createdAt: 'siteParticipantsByCreation',
  id: 'siteParticipantsById',
  lastSeenAt: 'siteParticipantsBySeen',
  hasUnreadMessages: 'siteParticipantsByMessage',
  ratioComplete: 'participantsByRatio', // in the order of the trial, with a look-up of the site
} as const

test('a page of the list of one site is read in the order of an index, and nothing is counted', async () => {
  const { list, sites, staff, trial, db } = await study([
    { id: 'A', sitesAt: [0], lastSeenAt: 5 },
    { id: 'B', sitesAt: [0], isWithdrawn: true },
    { id: 'C', sitesAt: [1] },
  ])
  const nurse = staff(trial, ['site.read'], sites[0])
  await nurse.do('readTrial', trial)
  for (const sort of sorts)
    for (const sortOrder of ['asc', 'desc']) {
      const collector = collectStatements(db.$client)
      expect((await list({ sort, sortOrder, includeArchived: true }, nurse)).total).toBe(2)
      const statements = collector.end()
      expect(statements.flatMap((sql) => scans(db.$client, sql).map((scan) => [scan, sql]))).toEqual([])
      expect(statements.filter((sql) => /count\(\*\)/i.test(sql))).toEqual([])
      const pages = statements.filter((sql) => /INDEXED BY/.test(sql))
      const plans = pages.map((sql) => explained(db.$client, sql).map(({ detail }) => detail))
      expect(plans.join()).toContain(INDEXES[sort])
      // Those who were never seen have the same key twice: nothing is sorted by the second.
      expect(plans.flat().filter((detail) => /TEMP B-TREE(?! FOR LAST TERM)/.test(detail))).toEqual([])
    }
})

test('who is behind schedule at one site comes from its index, with no look at the others of the site', async () => {
  const { db, staff, trial, north, schedule } = await scheduleStudy()
  const coordinator = staff(trial, ['site.read'], north)
  const collector = collectStatements(db.$client)
  await coordinator.get<'readSchedule'>(schedule)
  const statements = collector.end()
  expect(statements.filter((sql) => /stagesBehindSchedule > 0/.test(sql))).toEqual([])
  expect(statements.join()).toContain('siteParticipantsByCreation')
})
