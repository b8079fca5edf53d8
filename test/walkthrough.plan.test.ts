/** The plan of the invented study, and the expected results. */
import { describe, expect, test } from 'bun:test'
import { messagesTo, progressAtAmendment, tasks } from '#cli/walkthrough/expected'
import { type Person, planStudy } from '#cli/walkthrough/plan'

describe('the plan', () => {
  test('is the same for the same seed, and differs for another', () => {
    expect(planStudy(40, 8, 7)).toEqual(planStudy(40, 8, 7))
    expect(planStudy(40, 8, 7)).not.toEqual(planStudy(40, 8, 8))
  })

  test.each([6, 12, 200])('for %p participants has every kind of step, and none after its end', (size) => {
    const { acts, corrections, days, weeks } = planStudy(size, 2, 1)
    expect([...new Set(acts.map(({ kind }) => kind))].sort()).toEqual(
      ['adverse', 'answer', 'archive', 'telephone', 'tooLate', 'withdraw', 'withdrawn'].sort() as never,
    )
    expect(corrections.length).toBeGreaterThan(0)
    for (const act of acts) expect(act.day).toBeWithin(act.person.enrolsOn, days)
    const answered = acts.flatMap((act) =>
      act.kind === 'answer' || act.kind === 'telephone' ? [`${act.person.participantId} ${act.week}`] : [],
    )
    expect(new Set(answered).size).toBe(answered.length)
    for (const { person, week, value } of corrections) {
      expect(answered).toContain(`${person.participantId} ${week}`)
      expect(value).toBeWithin(0, 4)
      expect(week).toBeLessThan(weeks)
    }
  })
})

describe('the expected results', () => {
  const person = { participantId: 'P-1', enrolsOn: 0, email: 'p@example.org' } as Person
  const answers = { phq9: [3, 3, 3, 3, 3, 3, 3, 0, 0], gad7: [] }
  const evening = { person, when: 'evening', kind: 'answer', answers, isWrongAtFirst: false } as const
  const weeks = (...days: number[]) => days.map((day, week) => ({ ...evening, week, day }))
  const plan = { weeks: 2, days: 14, amendedOn: 6, people: [person], acts: weeks(0, 7), corrections: [] }
  const left = { person, day: 7, when: 'morning', kind: 'withdraw' } as const
  const notice = (n: number) => `“GAD-7, week ${n}” is waiting for your answers.`
  const reminder = 'They are still open, and take five minutes.'

  test.each([
    ['answers at once', { ...plan }, []],
    ['answers on the next day', { ...plan, acts: weeks(1, 8) }, [notice(1), reminder, notice(2)]],
    ['answers on the third day', { ...plan, acts: weeks(2, 9) }, [reminder, notice(1), reminder, notice(2)]],
    ['never answers', { ...plan, acts: [] }, [reminder, notice(1), reminder, notice(2)]],
    ['leaves after a week', { ...plan, acts: [left] }, [reminder, notice(1)]],
  ])('have these messages for a participant who %s', (_, plan, bodies) => {
    expect(messagesTo(plan, person, 'T').map(({ body }) => body)).toEqual(bodies)
  })

  test('have a task for a score of 22, reached at once or by a correction, and for none below', () => {
    const corrected = (to: number) => ({
      ...{ ...plan, acts: [{ ...weeks(0)[0]!, answers: { phq9: [3, 3, 3, 3, 3, 3, 3, 0, 0], gad7: [] } }] },
      corrections: [{ person, week: 0, instrument: 'phq9' as const, statement: 8, value: to }],
    })
    expect(tasks(corrected(0), 'T')).toEqual([])
    const title = 'T: “PHQ-9, week 1” of participant P-1'
    expect(tasks(corrected(1), 'T')).toEqual([{ participantId: 'P-1', title, day: 15 }])
    const high = { ...evening, week: 0, day: 0, answers: { phq9: [3, 3, 3, 3, 3, 3, 3, 1, 0], gad7: [] } }
    expect(tasks({ ...plan, acts: [high] }, 'T')).toEqual([{ participantId: 'P-1', title, day: 0 }])
  })

  test('count in the progress what was open by noon', () => {
    expect(progressAtAmendment(plan, person, 1)).toEqual({ ratioComplete: 1, stagesBehindSchedule: 0 })
    expect(progressAtAmendment(plan, person, 2)).toEqual({ ratioComplete: 0.5, stagesBehindSchedule: 0 })
    const late = { ...plan, acts: weeks(6) } // the same evening
    expect(progressAtAmendment(late, person, 2)).toEqual({ ratioComplete: 0, stagesBehindSchedule: 2 })
  })
})
