import { expect, test } from 'bun:test'
import { afterKill } from '../../harness'
import { firstOf } from '../../present'
import { incentiveStudy } from './incentive.study'

/** A study with a rule that pays 25 EUR for the stage, which is ad hoc, so that it can be completed often. */
async function withRule(limits: Record<string, unknown> = {}) {
  const s = await incentiveStudy()
  await s.owner.do('updateStage', s.stage, { adHoc: true })
  const rule = await s.owner.post<'createIncentiveRule'>(s.rulesUrl, {
    stage: s.stage,
    brand: 'shop',
    amount: 25,
    ...limits,
  })
  return {
    ...s,
    rule,
    complete: (participant = s.anna) => s.enter({ pulse: 60 }, {}, s.owner, s.url(participant)),
    ruleNow: async () => firstOf((await s.owner.get<'listIncentiveRules'>(s.rulesUrl)).rules),
    statuses: async (participant = s.anna) => (await s.given(participant)).map(({ status }) => status),
    remove: (response: string) => s.owner.do('deleteResponse', s.trial, response, { reason: 'Entered by mistake.' }),
  }
}

test('a completion pays by itself, once, and participants and staff see what for', async () => {
  const s = await withRule()
  await s.topUp(100)
  await s.load('A-1', 'A-2', 'A-3')
  const anna = await s.signIn('P-1')
  await anna.do('submitResponse', s.trial, s.stage, s.sent({ pulse: 61 }))
  expect(await s.given()).toEqual([])
  await s.tick()
  await s.tick()
  const [paid, ...more] = await s.given()
  expect(more).toEqual([])
  expect(paid).toMatchObject({
    ...{ status: 'issued', createdBy: null, rule: s.rule._id, stage: s.stage, stageRecurrence: 0, amount: 25 },
  })
  const own = firstOf((await anna.do('listOwnIncentives')).incentives)
  expect(own).toMatchObject({ stage: s.stage, stageRecurrence: 0, isReady: true })
  expect(await anna.do('revealOwnIncentive', own._id)).toMatchObject({ code: 'A-1' })
  // An amendment is no completion; the next occurrence is one.
  await s.enter({ pulse: 62 }, {}, s.owner, s.url(s.anna, `${s.stage}::0`))
  await s.complete()
  await s.tick()
  expect(await s.statuses()).toEqual(['issued', 'issued'])
  expect(await s.ruleNow()).toMatchObject({ payments: 2, waitingSince: null })
  const entry = firstOf((await s.owner.do('readLogs', s.trial, { userType: 'system', type: 'issueIncentive' })).entries)
  expect(entry).toMatchObject({ participantId: 'P-1', event: { after: { rule: s.rule._id, status: 'issued' } } })
  expect(JSON.stringify(entry)).not.toContain('A-2')
  expect(s.problems()).toEqual([])
})

test('a completion that is undone and done again, or moves to another participant, is not paid again', async () => {
  const s = await withRule()
  await s.topUp(1000)
  await s.load('A-1', 'A-2', 'A-3', 'A-4')
  const { body } = await s.complete()
  await s.tick()
  await s.remove(body._id)
  await s.tick()
  const again = (await s.complete()).body
  expect(again.stageRecurrence).toBe(1) // a new number, but no completion more
  await s.tick()
  expect(await s.statuses()).toEqual(['issued'])
  await s.remove(again._id)
  const last = (await s.complete()).body
  await s.tick()
  expect(await s.statuses()).toEqual(['issued'])
  await s.owner.do('detachResponse', s.trial, last._id)
  await s.owner.do('allocateResponse', s.trial, last._id, {}, { participant: s.bert })
  await s.tick()
  // Anna was paid for this response: that it moves on is for a person to look at.
  expect([await s.statuses(s.bert), await s.balance()]).toEqual([[], 975])
  // An unallocated participant is a placeholder. Whoever gets its response has completed the stage.
  const placeholder = { participantId: 'U-1', isUnallocated: true }
  const unknown = (await s.owner.do('registerParticipants', s.trial, placeholder))._id
  const { _id } = (await s.complete(unknown)).body
  await s.tick()
  expect(await s.statuses(unknown)).toEqual([])
  await s.owner.do('allocateResponse', s.trial, _id, {}, { participant: s.carl })
  await s.tick()
  expect([await s.statuses(s.carl), await s.balance()]).toEqual([['issued'], 950])
  expect(s.problems()).toEqual([])
})

test('what is undone before it is paid is not paid, and is claimed anew when it is done again', async () => {
  const s = await withRule()
  await s.topUp(1000)
  await s.load('A-1')
  await s.remove((await s.complete()).body._id)
  await s.tick()
  expect(await s.statuses()).toEqual([])
  await s.complete()
  await s.tick()
  expect(await s.statuses()).toEqual(['issued'])
  const waiting = (await s.complete(s.bert)).body
  await s.tick()
  expect(await s.statuses(s.bert)).toEqual(['waiting'])
  await s.remove(waiting._id)
  await s.tick()
  expect((await s.given(s.bert))[0]).toMatchObject({
    status: 'failed',
    detail: 'The completion was undone before it was paid.',
  })
  await s.load('B-1', 'B-2')
  await s.tick()
  expect(await s.statuses(s.bert)).toEqual(['failed'])
  expect(await s.ruleNow()).toMatchObject({ payments: 1 }) // which is what limits it
  await s.complete(s.bert)
  await s.tick()
  expect(await s.statuses(s.bert)).toEqual(['issued', 'failed'])
  expect(await s.balance()).toBe(950)
  expect(s.problems()).toEqual([])
})

test.each([
  [{ mostPerParticipant: 2 }, [2, 2]],
  [{ mostInTotal: 3 }, [3, 0]],
  [{ mostPerParticipant: 2, mostInTotal: 3 }, [2, 1]],
  [{}, [3, 2]],
  [{ isActive: false }, [0, 0]],
])('with %j, three completions of one and two of another are paid %j times', async (limits, expected) => {
  const s = await withRule(limits)
  await s.topUp(1000)
  await s.load('A-1', 'A-2', 'A-3', 'A-4', 'A-5')
  for (const who of [s.anna, s.anna, s.anna, s.bert, s.bert]) {
    await s.complete(who)
    s.clock(1000)
  }
  await s.tick()
  expect([(await s.given()).length, (await s.given(s.bert)).length]).toEqual(expected)
  expect(s.problems()).toEqual([])
})

test('with an empty wallet payments wait visibly, staff are told once, and a top-up pays them, the oldest first', async () => {
  const s = await withRule()
  await s.load('A-1', 'A-2', 'A-3')
  await s.topUp(30)
  for (const who of [s.anna, s.bert, s.carl]) {
    await s.complete(who)
    await s.tick()
    s.clock(60e6)
  }
  const statuses = async () => Promise.all([s.anna, s.bert, s.carl].map(async (who) => (await s.given(who))[0]!.status))
  expect(await statuses()).toEqual(['issued', 'waiting', 'waiting'])
  const { incentives } = await s.owner.do('listTrialIncentives', s.trial, { status: 'waiting' })
  expect(incentives).toMatchObject([
    { participant: s.carl, waitsFor: 'balance' },
    { participant: s.bert, waitsFor: 'balance' },
  ])
  expect((await s.ruleNow()).waitingSince).toBeString()
  const mails = () =>
    s.db.$client.query<{ subject: string }, []>(`SELECT subject FROM outbox WHERE subject LIKE '%payments%'`).all()
  expect(mails()).toEqual([{ subject: 'Breath study: payments to participants wait' }])
  const { tasks } = await s.owner.do('listTasks', s.trial)
  expect(tasks.filter(({ title }) => title.includes('payments'))).toMatchObject([{ assignees: [s.owner._id] }])
  const bert = await s.signIn('P-2')
  const own = firstOf((await bert.do('listOwnIncentives')).incentives)
  expect(own).toMatchObject({ status: 'pending', isReady: false })
  expect((await bert.call('POST', `/participants/incentives/${own._id}/code`)).status).toBe(400)
  await s.topUp(20)
  await s.tick()
  expect(await statuses()).toEqual(['issued', 'issued', 'waiting'])
  await s.topUp(500)
  await s.tick()
  expect(await statuses()).toEqual(['issued', 'issued', 'issued'])
  expect(await s.ruleNow()).toMatchObject({ waitingSince: null, payments: 3 })
  // The next time staff are told again: of missing codes now.
  await s.complete()
  await s.tick()
  await s.complete()
  await s.tick()
  expect(mails()).toHaveLength(2)
  expect((await s.given())[0]).toMatchObject({ status: 'waiting', waitsFor: 'codes' })
  // What comes after it waits for the same.
  await s.complete(s.bert)
  await s.tick()
  expect((await s.given(s.bert))[0]).toMatchObject({ status: 'waiting', waitsFor: 'codes' })
  // Nothing is lost with the feature switched off, and nothing is paid.
  await s.owner.do('updateTeam', s.team, { features: { incentives: false } })
  await s.tick()
  expect(
    s.db.$client.query(`SELECT waitsFor FROM incentives WHERE status = 'waiting' ORDER BY _id LIMIT 1`).get() as object,
  ).toEqual({ waitsFor: 'feature' })
  await s.owner.do('updateTeam', s.team, { features: { incentives: true } })
  await s.load('B-1', 'B-2', 'B-3')
  await s.tick()
  expect(await s.statuses()).toEqual(['issued', 'issued', 'issued'])
  expect(s.problems()).toEqual([])
})

test('forty completions at once, with a kill between any two steps, are paid once each', async () => {
  const s = await withRule()
  await s.topUp(25 * 40)
  await s.load(...Array.from({ length: 40 }, (_, at) => `CODE-${at}`))
  await Promise.all(Array.from({ length: 40 }, (_, at) => s.complete([s.anna, s.bert, s.carl][at % 3]!)))
  const paidIn = async (service: ReturnType<typeof afterKill>) => {
    await service.services.tick()
    const { $client } = service.services.db
    return $client
      .query<{ paid: number; codes: number; balance: number }, []>(
        `SELECT (SELECT count(*) FROM walletTransactions WHERE category = 'incentive') AS paid,
           (SELECT count(DISTINCT incentive) FROM voucherCodes) AS codes, (SELECT balance FROM wallets) AS balance`,
      )
      .get()
  }
  const all = { paid: 40, codes: 40, balance: 0 }
  expect(await paidIn(afterKill(s))).toEqual(all)
  const running = s.tick()
  await Promise.resolve()
  expect(await paidIn(afterKill(s))).toEqual(all)
  await running
  expect(await paidIn(afterKill(s))).toEqual(all)
  expect(s.problems()).toEqual([])
})

test('rules: what may be in one, and who sees and changes it', async () => {
  const s = await withRule()
  const body = { stage: s.stage, brand: 'shop', amount: 5 }
  for (const [change, status] of [
    [{ stage: s.trial }, 400],
    [{ brand: 'none' }, 400],
    [{ currency: 'USD' }, 400],
    [{ amount: 0 }, 422],
    [{ amount: 5.001 }, 422],
    [{ mostInTotal: 0 }, 422],
    [{ mostPerParticipant: 1.5 }, 422],
    [{ payments: 5 }, 200],
  ] as const)
    expect([change, (await s.owner.call('POST', s.rulesUrl, { ...body, ...change })).status]).toEqual([change, status])
  const at = `/incentive-rules/${s.rule._id}` as const
  expect(await s.owner.do('updateIncentiveRule', s.rule._id, { amount: 30, mostInTotal: 5 })).toMatchObject({
    amount: 30,
    mostInTotal: 5,
    updatedAt: s.now(),
  })
  expect((await s.owner.do('updateIncentiveRule', s.rule._id, { mostInTotal: null })).mostInTotal).toBeNull()
  expect(await s.entry('updateIncentiveRule')).toMatchObject({
    event: { before: { mostInTotal: 5 }, after: { mostInTotal: null } },
  })
  const nurse = s.staff(s.trial, ['trial.write'])
  expect((await nurse.call('GET', s.rulesUrl)).status).toBe(200)
  expect((await nurse.call('POST', s.rulesUrl, body)).status).toBe(403)
  expect((await nurse.call('PUT', at, { amount: 500 })).status).toBe(403)
  expect((await s.neighbours().owner.call('PUT', at, { amount: 500 })).status).toBe(404)
  // A stage with a rule can be deleted; the rule then pays nothing.
  const { _id } = await s.owner.do('createStage', s.trial, { name: 'Later' })
  await s.owner.post<'createIncentiveRule'>(s.rulesUrl, { ...body, stage: _id })
  await s.owner.do('deleteStage', _id)
  expect((await s.owner.get<'listIncentiveRules'>(s.rulesUrl)).rules.at(-1)).toMatchObject({ stage: null })
  expect(s.problems()).toEqual([])
})
