import { describe, expect, test } from 'bun:test'
import { verifyProgress } from '#conduct/timeline/verify'
import { verifyCounts } from '#db/counts'
import { DAY, parseInstant } from '#kernel/time'
import { firstOf } from '../../present'
import { study } from '../../study'

/** Three participants with a visit, a daily diary with reminders, and a visit that nobody can be late for. */
async function progressStudy() {
  const s = await study()
  const { owner, trial } = s
  const diary = { name: 'Diary', isRecurring: true, recurringFrequency: 1, recurringDuration: 5 }
  const reminders = [{ hour: 2, title: 'Diary', body: 'Please.', sendVia: ['email'] }]
  await owner.do('createStage', trial, { ...diary, reminders })
  await owner.do('createGroup', trial, { name: 'Arm' })
  await s.service.services.tick()
  const { $client: sqlite } = s.db
  return { ...s, sqlite, verify: () => verifyProgress(sqlite, parseInstant(s.now())!) }
}

describe('progress', () => {
  test('matches the timelines after any actions and at any time', async () => {
    const s = await progressStudy()
    for (let day = 0; day < 8; day++) {
      expect(s.verify()).toBe("3 participants' progress follows from their timelines")
      if (day === 2) await s.enter({ pulse: 60 })
      s.clock(DAY)
      // Progress that is due because time passed may be old; it must be right for the time at which it was calculated.
      expect(s.verify()).toStartWith("3 participants' progress")
      await s.service.services.tick()
    }
    expect(s.sqlite.query('SELECT max(stagesBehindSchedule) AS n FROM participants').get()).not.toEqual({ n: 0 })
  })

  test('that is queued for recalculation is not checked', async () => {
    const s = await progressStudy()
    s.sqlite.run('UPDATE participants SET ratioComplete = 0.9, progressDueAt = 0 WHERE _id = ?', [s.anna])
    expect(s.verify()).toEndWith('; 1 wait to be brought up to date')
    // The state after a change in a trial that is too large to recalculate at once.
    s.sqlite.run(`UPDATE stages SET name = 'Renamed' WHERE _id = ?`, [s.stage])
    expect(s.verify()).toEndWith('; 3 wait to be brought up to date')
  })

  test.each([
    'ratioComplete = 0.9',
    'stagesBehindSchedule = 3',
    'progressDueAt = progressDueAt + 1',
    'progressDueAt = NULL',
  ])('that was manipulated is found: %s', async (change) => {
    const s = await progressStudy()
    s.sqlite.run(`UPDATE participants SET ${change} WHERE _id = ?`, [s.bert])
    expect(s.verify).toThrow(`participant ${s.bert}: `)
  })

  test.each([
    'DELETE FROM scheduleRuns WHERE participant = ?',
    'UPDATE scheduleRuns SET origin = origin + 1 WHERE participant = ?',
    'UPDATE participants SET scheduleDigest = 1 WHERE _id = ?',
  ])('whose openings in the schedule were manipulated is found: %s', async (sql) => {
    const s = await progressStudy()
    s.sqlite.run(sql, [s.bert])
    expect(s.verify).toThrow(`participant ${s.bert}: the `)
  })

  test('whose reminders would be missed is found', async () => {
    const s = await progressStudy()
    const { remindersDueAt } = s.sqlite
      .query<{ remindersDueAt: number }, [string]>('SELECT remindersDueAt FROM participants WHERE _id = ?')
      .get(s.carl)!
    expect(remindersDueAt).toBeGreaterThan(0)
    for (const value of [null, remindersDueAt + 1]) {
      s.sqlite.run('UPDATE participants SET remindersDueAt = ? WHERE _id = ?', [value, s.carl])
      expect(s.verify).toThrow(`participant ${s.carl}: remindersDueAt is ${value}, not ${remindersDueAt}`)
    }
  })
})

describe('counts', () => {
  test('match the rows', async () => {
    const s = await progressStudy()
    await s.enter({ pulse: 60 })
    const group = firstOf((await s.owner.do('listGroups', s.trial)).groups)._id
    await s.owner.do('addGroupMember', group, s.anna)
    await s.owner.do('deleteParticipant', s.trial, s.carl, { reason: 'a test' })
    expect(verifyCounts(s.sqlite)).toEndWith('counts are right')
  })

  test.each([
    ['trials', 'participantCount'],
    ['trials', 'dataTypeCount'],
    ['trials', 'stageCount'],
    ['trials', 'responseCount'],
    ['teams', 'participantCount'],
    ['participants', 'groupCount'],
    ['participants', 'responseCount'],
    ['participantCounts', 'count'],
  ])('that were manipulated are found: %s.%s', async (table, column) => {
    const s = await progressStudy()
    const triggers = s.sqlite.query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).all()
    for (const { name } of triggers) s.sqlite.run(`DROP TRIGGER "${name}"`)
    s.sqlite.run(`UPDATE ${table} SET ${column} = ${column} + 1`)
    expect(() => verifyCounts(s.sqlite)).toThrow(new RegExp(`^${table} [0-9a-f]{24}: (${column} is |some)`))
  })
})
