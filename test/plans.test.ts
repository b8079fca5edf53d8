/** The statements of every submission use an index: their cost does not grow with the trial. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { forgetFailures, staffAccount } from '#access/attempts'
import { appendEntry } from '#audit/append'
import { erasePersonal } from '#audit/store'
import * as memberships from '#conduct/participants/membershipStore'
import { hashNextPasswords } from '#conduct/participants/pendingPasswords'
import * as drafts from '#conduct/responses/draftStore'
import * as notifications from '#conduct/responses/notificationStore'
import * as responses from '#conduct/responses/store'
import * as sweep from '#conduct/timeline/recalculationStore'
import * as reminders from '#conduct/timeline/reminderStore'
import * as timeline from '#conduct/timeline/store'
import { purgeTrials } from '#exchange/deletions/trialPurge'
import * as logs from '#exchange/logs/store'
import { DAY, parseInstant } from '#kernel/time'
import * as files from '#storage/store'
import { PASSWORD } from './harness'
import { collectStatements, explained, scans } from './plan'
import { firstOf, present } from './present'
import { keepDeleted } from './purge'
import { study } from './study'

test('the plan of a statement without an index has a scan, so the tests below can fail', async () => {
  const { db } = await study()
  expect(scans(db.$client, 'SELECT * FROM submissions WHERE updateNote = ?')).toEqual(['SCAN m'])
})

test('no statement of responses, timelines and the audit trail scans a table', async () => {
  const s = await study()
  const { db, anna, stage, trial, owner } = s
  const { body } = await s.enter({ pulse: 60 })
  const group = await owner.do('createAnchor', trial, { name: 'Surgery' })
  const row = responses.responseById(db, body._id)!
  const [submission] = responses.submissionsOf(db, row._id)
  const draft = { stage, stageRecurrence: 0, savedAt: 1, response: '{}', updateNote: null }
  const collector = collectStatements(db.$client)
  responses.layoutById(db, row.layout)
  responses.responseAt(db, anna, stage, 0)
  responses.responseById(db, row._id)
  responses.nextRecurrence(db, anna, stage)
  responses.responsesOfParticipant(db, anna)
  responses.responsesOfStage(db, anna, stage)
  responses.updateResponse(db, row, submission!._id, 1)
  responses.saveStatus(db, row._id, null, 1)
  responses.moveResponse(db, row._id, anna, 0, 1)
  responses.insertSubmission(db, submission!)
  responses.submissionMetaByNumber(db, [submission!._id])
  responses.submissionMetaAmong(db, [submission!._id])
  responses.submissionsOf(db, row._id)
  drafts.saveDraft(db, anna, owner._id, draft)
  drafts.draftsOf(db, anna, owner._id)
  drafts.deleteDraft(db, anna, stage, 0, owner._id)
  const notification = { response: row._id, component: 'pill', dueAt: 1, title: null, body: 'Rest.', reveals: [] }
  notifications.insertNotification(db, notification)
  expect(notifications.dueNotificationsAt(db, 1, 10)).toEqual([{ ...notification, participant: anna }])
  notifications.markNotificationSent(db, notification, 1)
  notifications.cancelNotification(db, row._id, 'pill')
  memberships.sitesOfParticipant(db, anna)
  memberships.groupsOfParticipant(db, anna)
  timeline.setAnchor(db, anna, group._id, 1)
  timeline.anchorsOfParticipant(db, anna)
  timeline.clearAnchor(db, anna, group._id)
  timeline.completionsOf(db, anna)
  timeline.setOverride(db, anna, { stage, stageRecurrence: 0, enableAt: 1, applyToAllRecurrences: false })
  timeline.overridesOf(db, anna)
  timeline.clearOverride(db, anna, stage, 0)
  timeline.timelineDataOf(db, anna, true)
  timeline.timelineDataOf(db, anna, false)
  const [due] = timeline.dueParticipants(db, Number.MAX_SAFE_INTEGER)
  timeline.participantsAfter(db, trial, '', 10)
  timeline.saveProgress(db, due!.participant, { ratio: 0, behind: 0, progressDueAt: null, remindersDueAt: null })
  const reminder = { stage, stageRecurrence: 0, occasion: 'behind' } as const
  reminders.recordReminderSent(db, anna, reminder, 1)
  reminders.isSentTo(db, anna)(reminder)
  erasePersonal(db, anna)
  reminders.saveRemindersDue(db, anna, 1)
  expect(reminders.participantsToRemind(db, 1, 10)).toHaveLength(1)
  timeline.hasChangedParticipants(db, trial)
  timeline.markOutdated(db, trial)
  timeline.clearChangeMarks(db, trial)
  timeline.saveProgressRevision(db, trial, 1)
  timeline.revisionOf(db, trial)
  logs.participantIds(db, ['f'.repeat(24)])
  timeline.nextOutdatedTrial(db, '')
  timeline.outdatedTrial(db, trial)
  const at = { _id: trial, revision: 1 }
  sweep.positionOf(db, at)
  sweep.savePosition(db, at, { after: anna, done: 1 })
  sweep.endRecalculation(db, trial)
  sweep.pendingJob(db, trial, owner._id)
  sweep.saveJobProgress(db, trial, { counted: '', uncounted: '' }, 1)
  sweep.completeJobs(db, trial, 1, 1)
  appendEntry(db, { chain: trial, createdAt: 1, type: 'test', userType: 'system', event: {} })
  responses.deleteResponse(db, row._id)
  const statements = collector.end()
  expect(statements.length).toBeGreaterThan(30)
  expect(statements.flatMap((sql) => scans(db.$client, sql).map((scan) => [scan, sql]))).toEqual([])
})

test('no statement of a first submission or an amendment scans a table', async () => {
  const s = await study()
  const { $client: sqlite } = s.db
  const collector = collectStatements(sqlite)
  for (const pulse of [60, 61]) expect((await s.enter({ pulse })).status).toBe(200)
  const statements = collector.end()
  expect(statements.length).toBeGreaterThan(15)
  expect(statements.flatMap((sql) => scans(sqlite, sql).map((scan) => [scan, sql]))).toEqual([])
})

/** Statements that SQLite would prepare again at every call (docs/performance.md, "Statements"). */
const preparedAgain = (statements: readonly string[]) =>
  statements.filter((sql) => /\bJOIN\b|FROM "?(responses|submissions)\b/.test(sql) && /(?<![<>])= ?\$/.test(sql))

test('no statement that joins tables compares with a bare parameter', async () => {
  expect(preparedAgain(['SELECT 1 FROM a JOIN b ON b.x = a.x WHERE a._id = $_id'])).toHaveLength(1)
  const s = await study()
  const collector = collectStatements(s.db.$client)
  for (const pulse of [60, 61]) expect((await s.enter({ pulse })).status).toBe(200)
  await s.owner.do('listParticipants', s.trial)
  await s.owner.do('readParticipantResponses', s.trial, s.anna)
  const statements = collector.end()
  expect(statements.filter((sql) => /JOIN/.test(sql)).length).toBeGreaterThan(2)
  expect(preparedAgain(statements)).toEqual([])
})

test('no statement has a bare parameter as its limit, which has the same effect', () => {
  const bare = [...new Bun.Glob('src/**/*.ts').scanSync()].filter((path) =>
    /(LIMIT|OFFSET) \$[a-z]/i.test(readFileSync(path, 'utf8')),
  )
  expect(bare).toEqual([])
})

test('no statement of a submission that creates a task scans a table, nor of the board', async () => {
  const conditions = [{ id: 'any', operator: 'more', scoreThreshold: 0 }]
  const onSubmitRules = [{ id: 'tell', conditions, actions: [{ id: 'team', type: 'notifyTeam' }] }]
  const scoringRules = [{ id: 'any', points: 1, operator: 'more', value: 0 }]
  const s = await study({ stage: { onSubmitRules, component: { pulse: { scoringRules } } } })
  const { $client: sqlite } = s.db
  const { owner, trial } = s
  const collector = collectStatements(sqlite)
  expect((await s.enter({ pulse: 60 })).status).toBe(200)
  const { tasks } = await owner.do('listTasks', trial)
  const { lanes } = await owner.do('listTaskLanes', trial)
  await owner.do('updateTask', firstOf(tasks)._id, { taskLane: present(lanes[2])._id, index: 0 })
  await owner.do('updateTaskLane', present(lanes[2])._id, { isCompleteLane: false })
  await owner.do('deleteTask', firstOf(tasks)._id)
  await owner.do('deleteTaskLane', present(lanes[2])._id)
  const statements = collector.end()
  expect(statements.filter((sql) => /\btasks\b/.test(sql)).length).toBeGreaterThan(5)
  expect(statements.flatMap((sql) => scans(sqlite, sql).map((scan) => [scan, sql]))).toEqual([])
})

test('no statement that deletes or purges a trial, a participant or a stage scans a table', async () => {
  const s = await study()
  keepDeleted(s)
  const { $client: sqlite } = s.db
  const { owner, trial, anna, stage } = s
  expect((await s.enter({ pulse: 60 })).status).toBe(200)
  const collector = collectStatements(sqlite)
  await owner.do('deleteParticipant', trial, anna, { reason: 'a test' })
  await owner.do('deleteStage', stage)
  const list = [{ participantId: 'N-1' }, { participantId: 'N-2' }]
  const { participants } = await owner.do('registerParticipants', trial, { participants: list })
  const body = { participants: participants.map(({ _id }: { _id: string }) => _id), reason: 'a test' }
  await owner.do('deleteParticipants', trial, body)
  await owner.do('deleteTrial', trial)
  s.clock(30 * DAY)
  while (await purgeTrials(s.service.services, present(parseInstant(s.now()))));
  expect(sqlite.query('SELECT 1 FROM trials WHERE _id = ?').get(trial)).toBeNull()
  // What a deletion takes is noted in a temporary table, which is empty before. The tables are looked up once.
  const statements = collector.end().filter((sql) => !/temp\.|sqlite_schema/.test(sql))
  expect(statements.filter((sql) => /^\s*DELETE/.test(sql)).length).toBeGreaterThan(6)
  expect(statements.flatMap((sql) => scans(sqlite, sql).map((scan) => [scan, sql]))).toEqual([])
})

test('storing the progress of a participant updates only the indexes of what changed', async () => {
  const { db, anna, trial } = await study()
  const participant = timeline.participantsAfter(db, trial, '', 10).find(({ _id }) => _id === anna)!
  const { ratio, behind, progressDueAt, remindersDueAt } = participant
  const stored = { ratio, behind, progressDueAt, remindersDueAt }
  const collector = collectStatements(db.$client)
  for (const change of [
    {},
    { ratio: ratio + 0.5 },
    { progressDueAt: 1 },
    { remindersDueAt: 1 },
    { behind: behind + 1 },
  ])
    timeline.saveProgress(db, participant, { ...stored, ...change })
  const statements = collector.end()
  const writes = (sql: string) =>
    explained<{ opcode: string }>(db.$client, sql, 'EXPLAIN').filter(({ opcode }) => opcode === 'IdxInsert').length
  const [behindWrites, ...others] = statements.map(writes).reverse()
  expect(others).toEqual([1, 1, 1]) // the indexes by ratio, and by the times when progress and reminders are due
  expect(behindWrites).toBeGreaterThan(3) // all four indexes of the list
})

test('no statement of sign-ins, uploads and waiting passwords scans a table', async () => {
  const s = await study()
  const { db, owner, trial, anna, service } = s
  const { services } = service
  const sign = (password: string) => s.nobody.call('POST', '/sessions', { email: 'owner@example.org', password })
  await s.signInStaff(owner)
  services.quotas = { participant: 10, trial: 10 }
  const upload = { name: 'a.pdf', size: '11', type: 'application/pdf', forType: 'participant', forId: anna }
  const list = Array.from({ length: 9 }, (_, n) => ({ participantId: `N-${n}`, password: 'x' }))
  const collector = collectStatements(db.$client)
  expect((await sign('wrong')).status).toBe(401)
  expect((await sign(PASSWORD)).status).toBe(200)
  forgetFailures(db, staffAccount('owner@example.org'), 1)
  expect((await owner.call('GET', `/uploads/file/request?${new URLSearchParams(upload)}`)).status).toBe(400)
  expect(
    (await owner.call('GET', `/uploads/file/request?${new URLSearchParams({ ...upload, size: '1' })}`)).status,
  ).toBe(200)
  files.bytesUploadedFor(db, { forType: 'participant', forId: anna }, 1)
  files.giveUpUnusedUploads(db, 1, 10)
  files.markUsed(db, 'x')
  await owner.do('registerParticipants', trial, { participants: list })
  while (await hashNextPasswords(services, services.clock.now()));
  const statements = collector.end()
  expect(statements.length).toBeGreaterThan(20)
  // The queue is read from its beginning, a few rows at a time.
  const whole = statements.flatMap((sql) => scans(db.$client, sql)).filter((scan) => !scan.includes('passwordQueue'))
  expect(whole).toEqual([])
  const announced = statements.filter((sql) => sql.includes('finishedAt IS NULL AND heldUntil > $now'))
  const plans = announced.map((sql) =>
    explained(db.$client, sql)
      .map(({ detail }) => detail)
      .join(),
  )
  expect(plans.length).toBe(3)
  for (const plan of plans) expect(plan).toContain('filesHeld')
})
