import { expect, test } from 'bun:test'
import { firstOf, present, take } from '../../present'
import { incentiveStudy } from './incentive.study'

test('an incentive is paid from the wallet with a code that is drawn once, and its participant can see the code', async () => {
  const s = await incentiveStudy()
  await s.topUp(60)
  expect((await s.load('AAA-111', 'BBB-222', 'CCC-333')) as object).toEqual({
    loaded: 3,
    loadedAt: s.now(),
    amounts: [{ amount: 25, loaded: 3 }],
  })
  const anna = await s.signIn('P-1')
  const bert = await s.signIn('P-2')
  const first = (await s.give()).body
  expect(first).toMatchObject({
    ...{ participant: s.anna, brand: 'shop', brandName: 'Corner shop', amount: 25, currency: 'EUR', status: 'issued' },
    ...{ createdBy: s.owner._id, issuedAt: s.now(), rule: null, waitsFor: null, revealedAt: null },
  })
  const second = (await s.give(s.bert)).body
  const poor = await s.give(s.carl)
  expect([poor.status, poor.body.message]).toEqual([
    400,
    'The wallet holds 10.00 EUR, and this takes 25.00 EUR out of it. Top it up first.',
  ])
  expect(await s.balance()).toBe(10)
  expect(await s.given(s.carl)).toEqual([])

  const [own] = take(1, (await anna.do('listOwnIncentives')).incentives)
  expect(own).toMatchObject({ _id: first._id, brandName: 'Corner shop', amount: 25, status: 'issued', isReady: true })
  expect(await anna.do('revealOwnIncentive', first._id)).toEqual({
    ...{ code: 'AAA-111', pin: null, url: null, expiresOn: null },
  })
  expect((await bert.do('revealOwnIncentive', second._id)).code).toBe('BBB-222')
  // Neither is the other's, whoever asks how.
  expect((await bert.call('POST', `/participants/incentives/${first._id}/code`)).status).toBe(404)
  expect((await s.owner.call('POST', `${s.listUrl(s.bert)}/${first._id}/code`)).status).toBe(404)
  expect((await s.given())[0]!.revealedAt).toBe(s.now())
  expect(await s.owner.post<'revealIncentive'>(`${s.listUrl()}/${first._id}/code`)).toMatchObject({ code: 'AAA-111' })
  expect(await s.entry('revealIncentive')).toMatchObject({ userEmail: s.owner.email, event: { incentive: first._id } })
  const everywhere = JSON.stringify([
    ...['auditEntries', 'outbox', 'idempotencyKeys', 'voucherCodes', 'incentives', 'jobs'].map((table) =>
      s.db.$client.query(`SELECT * FROM ${table}`).all(),
    ),
    await s.given(),
    await s.owner.get<'listIncentiveBrands'>(s.brandsUrl),
    await s.owner.get<'readWallet'>(s.walletUrl),
  ])
  for (const code of ['AAA', 'BBB', 'CCC']) expect(everywhere).not.toContain(code)
  expect(s.problems()).toEqual([])
})

test('forty at once get forty codes, and never more than the wallet holds', async () => {
  const s = await incentiveStudy()
  await s.topUp(25 * 30)
  await s.load(...Array.from({ length: 40 }, (_, at) => `CODE-${at}`))
  const answers = await Promise.all(Array.from({ length: 40 }, () => s.give()))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
  expect(await s.balance()).toBe(0)
  const given = await s.given()
  const codes = await Promise.all(given.map(({ _id }) => s.owner.post<'revealIncentive'>(`${s.listUrl()}/${_id}/code`)))
  expect(new Set(codes.map(({ code }) => code)).size).toBe(30)
  // The other limit: money, but too few codes.
  await s.topUp(1000)
  const rest = await Promise.all(Array.from({ length: 40 }, () => s.give(s.bert)))
  expect(rest.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(present(rest.find(({ status }) => status === 400)).body.message).toContain('No unexpired code')
  expect(await s.balance()).toBe(750)
  expect(s.problems()).toEqual([])
})

test('a deleted participant leaves the journal, and their code is never drawn again; a deleted trial leaves nothing', async () => {
  const s = await incentiveStudy()
  await s.topUp(100)
  await s.load('A-1', 'A-2')
  await s.give()
  await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'Registered twice.' })
  expect(await s.balance()).toBe(75)
  expect((await s.owner.get<'readWallet'>(s.walletUrl)).transactions).toHaveLength(2)
  expect(s.problems()).toEqual([])
  const { _id } = (await s.give(s.bert)).body
  expect((await s.owner.post<'revealIncentive'>(`${s.listUrl(s.bert)}/${_id}/code`)).code).toBe('A-2')
  expect((await s.give(s.bert)).status).toBe(400)
  await s.owner.post<'createIncentiveRule'>(s.rulesUrl, { stage: s.stage, brand: 'shop', amount: 5 })
  await s.owner.do('deleteTrial', s.trial)
  for (const table of [
    'walletTransactions',
    'walletEntries',
    'wallets',
    'voucherCodes',
    'voucherStock',
    'incentiveRules',
  ])
    expect(s.db.$client.query(`SELECT * FROM ${table}`).all()).toEqual([])
  expect(s.problems()).toEqual([])
})

test('lists have pages, and what is wrong with an incentive is said before anything is paid', async () => {
  const s = await incentiveStudy()
  await s.topUp(1000)
  await s.load(...Array.from({ length: 5 }, (_, at) => `A-${at}`))
  for (const [body, status] of [
    [{ brand: 'none', amount: 25 }, 400],
    [{ brand: 'shop', amount: 25, currency: 'USD' }, 400],
    [{ brand: 'shop', amount: 26 }, 400],
    [{ brand: 'shop', amount: 25.001 }, 422],
    [{ brand: 'shop', amount: -25 }, 422],
    [{ brand: 'shop', amount: '25' }, 422],
    [{ brand: 'shop' }, 422],
    [{ brand: 'shop', amount: 25, brandName: 'half \ud83d' }, 422],
    [{ brand: 'shop', brandName: 'Any name', amount: 25, currency: 'EUR' }, 200],
  ] as const)
    expect([body, (await s.give(s.anna, body)).status]).toEqual([body, status])
  await s.owner.do('updateParticipant', s.trial, s.carl, { isArchived: true })
  expect((await s.give(s.carl)).body.message).toContain('archived')
  const made = [firstOf(await s.given())._id]
  for (let at = 0; at < 4; at++) {
    s.clock(1e6)
    made.unshift((await s.give()).body._id)
  }
  const anna = await s.signIn('P-1')
  const pages = async (get: (query: string) => Promise<{ incentives: { _id: string }[]; next: string | null }>) => {
    const found: string[][] = []
    for (let next: string | null | undefined; next !== null; ) {
      const page = await get(`perPage=2${next ? `&after=${next}` : ''}`)
      found.push(page.incentives.map(({ _id }) => _id))
      next = page.next
    }
    return found
  }
  const expected = [made.slice(0, 2), made.slice(2, 4), made.slice(4)]
  expect(
    await pages((query) =>
      s.owner.get<'listIncentives'>(`${s.listUrl()}?${query}` as `${ReturnType<typeof s.listUrl>}?page`),
    ),
  ).toEqual(expected)
  expect(
    await pages((query) =>
      anna.get<'listOwnIncentives'>(`/participants/incentives?${query}` as '/participants/incentives?page'),
    ),
  ).toEqual(expected)
  const all = `/trials/${s.trial}/incentives` as const
  expect(await pages((query) => s.owner.get<'listTrialIncentives'>(`${all}?${query}` as `${typeof all}?page`))).toEqual(
    expected,
  )
  const issued = await s.owner.do('listTrialIncentives', s.trial, { status: 'issued', perPage: 5 })
  expect([issued.incentives.length, issued.next]).toEqual([5, null])
})
