/** What is recorded about sites is found by indexes: the cost does not grow with the trial. */
import { expect, mock, test } from 'bun:test'
import { plannedVisits } from '#conduct/calendar/monitoringStore'
import * as sites from '#design/sites/store'
import * as delegation from '#office/delegation/store'
import { monthsOf } from '#office/enrolment/store'
import * as monitoring from '#office/monitoring/store'
import * as issues from '#office/siteIssues/store'
import * as training from '#office/training/store'
import { siteStudy } from './office/site.study'
import { collectStatements, scans } from './plan'
import { firstOf } from './present'

test('no statement about sites, their visits and their logs scans a table or sorts one', async () => {
  const { db, trial, north, owner, ...s } = await siteStudy()
  const visit = await s.visit('MV-1', { scheduledAt: '2026-03-10T09:00:00Z' })
  const trained = { user: owner._id, training: 'GCP', trainedOn: '2026-02-01', expiresOn: '2026-02-02' }
  await owner.do('createTraining', north, trained)
  const all = { sites: [north], groups: [] }
  const collector = collectStatements(db.$client)
  monitoring.visitsOf(db, north, 10, 0)
  monitoring.isVisitIdTaken(db, north, 'MV-1')
  monitoring.previousCompletedVisit(db, north, visit._id, 5)
  monitoring.issueCountsOf(db, [visit._id])
  monitoring.figuresOf(db, north, 5)
  monitoring.verifiedIn(db, north, [{ from: 0, to: 5 }])
  issues.issuesOf(db, visit._id, 10, 0)
  issues.issuesSince(db, north, 5)
  delegation.delegationsOf(db, north)
  delegation.signaturesOn(db, visit._id)
  delegation.investigatorsFrom(db, north, '2026-03-02')
  delegation.investigatorOn(db, north, '2026-03-02')
  const last = training.lastTrainingsAt(db, north)
  expect(training.isRenewed(firstOf(training.trainingsOf(db, north)), last)).toBe(false)
  expect(training.expiredTrainings(owner._id, last, '2026-03-02')).toEqual(['GCP'])
  monthsOf(db, [north])
  sites.recordsOf(db, north)
  sites.siteById(db, north)
  expect(plannedVisits(db, trial, all, 0, Number.MAX_SAFE_INTEGER)).toHaveLength(1)
  const statements = collector.end()
  expect(statements.length).toBeGreaterThan(15)
  expect(statements.flatMap((sql) => scans(db.$client, sql).map((scan) => [scan, sql]))).toEqual([])
})

test('a log reads the training of each person once, however many entries they have', async () => {
  const { db, north, owner } = await siteStudy()
  const trained = { user: owner._id, training: 'GCP', trainedOn: '2026-02-01', expiresOn: '2026-02-02' }
  const delegated = { user: owner._id, role: 'studyNurse', tasks: ['dataEntry'], startsOn: '2026-03-02' }
  for (const _ of [1, 2, 3]) {
    await owner.do('createTraining', north, trained)
    await owner.do('createDelegation', north, delegated)
  }
  const { query } = db.$client
  const reads = mock((sql: string) => query(sql))
  db.$client.query = reads as typeof query
  const ofPerson = () => reads.mock.calls.filter(([sql]) => /trainings.*user = /s.test(sql)).length
  for (const log of ['delegations', 'trainings', 'delegations?format=csv', 'trainings?format=csv'] as const) {
    reads.mockClear()
    await owner.get(`/sites/${north}/${log}` as string)
    expect(ofPerson()).toBe(1)
  }
})
