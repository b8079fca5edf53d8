import { describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { firstOf } from '../present'
import { reminded, smtpOf } from './email.study'
import { mailServer } from './mailServer'

describe('a message is not sent', () => {
  type Change = (s: Awaited<ReturnType<typeof reminded>>) => unknown
  const late = async (change: Change, by = MINUTE, diary: Record<string, unknown> = {}) => {
    const server = await mailServer()
    server.state.says = { code: 451, words: 'later' }
    const s = await reminded(smtpOf(server), diary)
    await s.wait(3 * HOUR)
    server.state.says = undefined
    server.mails.length = 0
    await change(s)
    await s.wait(by)
    return { ...s, server }
  }

  test('if it is a day old', async () => {
    const { rows, server } = await late(() => {}, DAY)
    expect(server.mails).toEqual([])
    expect(rows()).toMatchObject([{ status: 'expired' }])
    expect(rows()[0]!.detail).toContain('451')
  })

  test('if its form was answered', async () => {
    const answer: Change = ({ owner, stage, anna, trial }) =>
      owner.do('enterResponse', trial, anna, stage, { response: {} })
    const { rows, server } = await late(answer)
    expect(server.mails).toEqual([])
    expect(rows()).toMatchObject([{ status: 'expired' }])
    const recurring = { isRecurring: true, recurringFrequency: 1, recurringDuration: 2 }
    const other: Change = ({ owner, stage, anna, trial }) =>
      owner.do('enterResponse', trial, anna, `${stage}::1`, { response: {} })
    expect((await late(other, MINUTE, recurring)).server.mails).toHaveLength(1)
  })

  test('if its form is closed', async () => {
    const open = await late(() => {}, HOUR - MINUTE, { availabilityWindowHours: 4 })
    expect(open.server.mails).toHaveLength(1)
    const closed = await late(() => {}, HOUR, { availabilityWindowHours: 4 })
    expect(closed.server.mails).toEqual([])
    expect(closed.rows()).toMatchObject([{ status: 'expired' }])
  })

  test('unless it is a notice of several forms and one of them is open', async () => {
    const server = await mailServer()
    server.state.says = { code: 451, words: 'later' }
    const s = await reminded(smtpOf(server), { reminders: [] })
    await s.owner.do('updateTrial', s.trial, { behindScheduleNotices: ['email'] })
    const second = (await s.owner.do('createStage', s.trial, { name: 'Scale' }))._id
    await s.wait(DAY)
    expect(s.rows()).toHaveLength(1)
    await s.owner.do('enterResponse', s.trial, s.anna, s.stage, { response: {} })
    await s.wait(MINUTE)
    expect(s.rows()).toMatchObject([{ status: 'notSent', attempts: 2 }])
    await s.owner.do('enterResponse', s.trial, s.anna, second, { response: {} })
    server.state.says = undefined
    server.mails.length = 0
    await s.wait(HOUR)
    expect(server.mails).toEqual([])
    expect(s.rows()).toMatchObject([{ status: 'expired', attempts: 2 }])
  })

  test.each([{ isWithdrawn: true }, { isArchived: true }])('to a participant who left: %p', async (change) => {
    const { rows, server } = await late(({ owner, anna, trial }) => owner.do('updateParticipant', trial, anna, change))
    expect(server.mails).toEqual([])
    expect(rows()).toMatchObject([{ status: 'expired' }])
  })

  test('if the address was removed; a new address is used', async () => {
    const gone = await late(({ owner, anna, trial }) => owner.do('updateParticipant', trial, anna, { email: null }))
    expect(gone.server.mails).toEqual([])
    expect(gone.rows()).toMatchObject([{ status: 'unreachable' }])
    const moved = await late(({ owner, self }) => owner.put<'updateParticipant'>(self, { email: 'anna@example.net' }))
    expect(moved.server.mails.map(({ to }) => to)).toEqual([['anna@example.net']])
  })

  test('if it was handed over', async () => {
    const { rows, server } = await late(async ({ owner, trial }) => {
      const { _id } = firstOf((await owner.do('readMessages', trial)).messages)
      await owner.do('recordHandOver', trial, _id, { status: 'handedOver' })
    })
    expect(server.mails).toEqual([])
    expect(rows()).toMatchObject([{ status: 'handedOver', attempts: 1 }])
  })

  test('if its participant was deleted during the sending', async () => {
    const server = await mailServer()
    server.state.says = 'hold'
    const s = await reminded(smtpOf(server))
    s.clock(3 * HOUR)
    const ticking = s.service.services.tick()
    while (!server.mails.length) await Bun.sleep(1)
    server.state.says = undefined // the message that tells of the deletion is not held
    await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'registered twice' })
    server.release()
    await ticking
    expect(s.rows()).toEqual([])
  })
})
