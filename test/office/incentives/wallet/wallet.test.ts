import { expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { firstOf, present } from '../../../present'
import { runs } from '../../../proof'
import { incentiveStudy } from '../incentive.study'

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

test('a top-up is made in the web app only, by whoever manages the wallet', async () => {
  const s = await incentiveStudy()
  const url = `/trials/${s.trial}/wallet/top-ups` as const
  expect(await s.owner.get<'readWallet'>(s.walletUrl)).toEqual({
    ...{ balance: 0, currency: null, balances: [], transactions: [], total: 0, page: 1, perPage: 30 },
    ...{ nextPageAvailable: false, prevPageAvailable: false },
  })
  const byKey = await s.owner.call('POST', url, { amount: 50, currency: 'EUR' })
  expect([byKey.status, byKey.body.message]).toEqual([
    403,
    'This can be done in the web app only, not with an API key.',
  ])
  const reader = await s.signInStaff(s.staff(s.trial, ['trial.write']))
  expect((await reader.call('POST', url, { amount: 50, currency: 'EUR' })).status).toBe(403)
  const clerk = await s.signInStaff(s.staff(s.trial, ['trial.manageWallet']))
  const made = await clerk.do('topUpWallet', s.trial, { amount: 50.1, currency: 'EUR', reference: 'Transfer 4711' })
  expect(made).toMatchObject({
    ...{ number: 1, category: 'topUp', amount: 50.1, balance: 50.1, currency: 'EUR', reason: 'Transfer 4711' },
    ...{ incentive: null, reverses: null, reversedBy: null, createdAt: s.now() },
    entries: [
      { account: 'funding', amount: -50.1 },
      { account: 'wallet', amount: 50.1 },
    ],
  })
  expect(await s.entry('topUpWallet')).toMatchObject({ event: { after: { amount: 50.1, currency: 'EUR' } } })
  for (const [body, field] of [
    [{ amount: 0, currency: 'EUR' }, 'amount'],
    [{ amount: 1.001, currency: 'EUR' }, 'amount'],
    [{ amount: 5.5, currency: 'JPY' }, 'amount'],
    [{ amount: -5, currency: 'EUR' }, 'amount'],
    [{ amount: '5', currency: 'EUR' }, 'amount'],
    [{ amount: 5, currency: 'EURO' }, 'currency'],
    [{ amount: 5, currency: 'XXX' }, 'currency'],
    [{ amount: 5, currency: 'EUR', reference: 'half \ud83d' }, 'reference'],
  ] as const) {
    const { status, body: refusal } = await s.cashier.call('POST', url, body)
    expect([body, status, Object.keys(refusal.validations?.json ?? {})]).toEqual([body, 422, [field]])
  }
  expect((await s.owner.call('GET', `${s.walletUrl}?currency=XXX`)).status).toBe(422)
})

test('a wallet has an upper limit, so that every sum is exact', async () => {
  const s = await incentiveStudy()
  const url = `/trials/${s.trial}/wallet/top-ups` as const
  for (const currency of ['EUR', 'JPY'])
    for (const [amount, status] of [
      [999_999_999, 200],
      [2, 400],
      [1, 200],
      [1, 400],
    ] as const)
      expect([currency, amount, (await s.cashier.call('POST', url, { amount, currency })).status]).toEqual([
        ...[currency, amount, status],
      ])
  expect((await s.owner.get<'readWallet'>(s.walletUrl)).balances).toEqual([
    { currency: 'EUR', balance: 1e9 },
    { currency: 'JPY', balance: 1e9 },
  ])
  expect(s.problems()).toEqual([])
})

test('one key pays once, however often and at once a top-up is repeated', async () => {
  const s = await incentiveStudy()
  const url = `/trials/${s.trial}/wallet/top-ups` as const
  const once = { headers: { 'Idempotency-Key': 'transfer-4711' } }
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => s.cashier.call('POST', url, { amount: 10, currency: 'EUR' }, once)),
  )
  expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1)
  expect(await s.balance()).toBe(10)
})

test('transactions have pages and categories, and all of them are in the csv', async () => {
  const s = await incentiveStudy()
  for (let amount = 1; amount <= 7; amount++) await s.topUp(amount * 10)
  await s.topUp(5000, 'JPY')
  await s.load('A-1', 'A-2', 'A-3')
  for (const who of [s.anna, s.bert, s.carl]) expect((await s.give(who)).status).toBe(200)
  const page = (query: string) => s.owner.get<'readWallet'>(`${s.walletUrl}?${query}` as `${typeof s.walletUrl}?page=1`)
  const second = await page('page=2&perPage=4')
  expect(second).toMatchObject({
    total: 11,
    balance: 205,
    currency: 'EUR',
    nextPageAvailable: true,
    prevPageAvailable: true,
  })
  expect(second.transactions.map(({ number }) => number)).toEqual([7, 6, 5, 4])
  expect((await page('page=3&perPage=4')).transactions.map(({ number }) => number)).toEqual([3, 2, 1])
  expect(await page('page=4&perPage=4')).toMatchObject({ transactions: [], nextPageAvailable: false })
  const paid = await page('category=incentive&perPage=2')
  expect(paid).toMatchObject({ total: 3, nextPageAvailable: true })
  expect(paid.transactions.map(({ number, amount }) => [number, amount])).toEqual([
    [11, -25],
    [10, -25],
  ])
  expect(await page('category=refund')).toMatchObject({ total: 0, transactions: [], balance: 205 })
  expect(await page('currency=JPY')).toMatchObject({
    balance: 5000,
    balances: [
      { currency: 'EUR', balance: 205 },
      { currency: 'JPY', balance: 5000 },
    ],
  })
  const { csv } = await s.owner.get(`${s.walletUrl}?format=csv` as const)
  const rows: Record<string, string>[] = parse(csv, { columns: true })
  expect(rows.map(({ number, amount }) => [number, amount])[8]).toEqual(['9', '-25.00'])
  expect(rows[7]).toMatchObject({ currency: 'JPY', amount: '5000', funding: '-5000', incentives: '0' })
  for (const { wallet, funding, incentives } of rows) expect(sum([wallet, funding, incentives].map(Number))).toBe(0)
  expect(sum(rows.filter(({ currency }) => currency === 'EUR').map(({ amount }) => Number(amount)))).toBe(205)
  const of = await s.owner.get(`${s.walletUrl}?format=csv&category=topUp` as const)
  expect(parse(of.csv, { columns: true })).toHaveLength(8)
  expect(await s.entry('exportWallet')).toMatchObject({ event: { format: 'csv', category: 'topUp' } })
})

test('the journal is append-only, balances, and never goes below zero, whoever writes', async () => {
  const s = await incentiveStudy()
  const { _id } = await s.topUp(10)
  const run = (sql: string) => () => s.db.$client.run(sql)
  for (const sql of [
    'UPDATE walletTransactions SET amount = 1',
    'UPDATE walletEntries SET amount = 1',
    'DELETE FROM walletTransactions',
    'DELETE FROM walletEntries',
    `INSERT INTO walletEntries VALUES ('${_id}', 'incentives', 5)`,
  ])
    expect(run(sql)).toThrow('append-only')
  const transaction = (amounts: Record<string, number>, amount: number, balance: number) => () =>
    s.db.$client.transaction(() => {
      for (const [account, each] of Object.entries(amounts))
        s.db.$client.run(`INSERT INTO walletEntries VALUES ('x', '${account}', ${each})`)
      s.db.$client.run(`INSERT INTO walletTransactions VALUES ('x', 1, NULL, '${s.trial}', 2, 'topUp', 2, 'EUR', ${amount},
        ${balance}, NULL, NULL, NULL)`)
    })()
  expect(transaction({ wallet: 5, funding: -4 }, 5, 15)).toThrow('sum to zero')
  expect(transaction({ wallet: 0 }, 0, 10)).toThrow('sum to zero')
  expect(transaction({ funding: 5, incentives: -5 }, 5, 15)).toThrow('sum to zero')
  expect(transaction({ wallet: 5, funding: -5 }, 6, 16)).toThrow('sum to zero')
  expect(transaction({ wallet: 5, funding: -5 }, 5, 16)).toThrow('after it')
  expect(transaction({ wallet: -2000, funding: 2000 }, -2000, -1000)).toThrow('never negative')
  expect(run(`UPDATE wallets SET balance = -1`)).toThrow('never negative')
  // Entries without their transaction cannot be committed.
  expect(run(`INSERT INTO walletEntries VALUES ('x', 'wallet', 5)`)).toThrow('FOREIGN KEY')
  expect(s.problems()).toEqual([])
  s.db.$client.run('UPDATE wallets SET balance = 999')
  expect(s.problems().join()).toContain(`wallets: the wallet of trial ${s.trial} does not hold`)
})

test('a payment in error is taken back once, with a reason, and its code goes back only if nobody saw it', async () => {
  const s = await incentiveStudy()
  const anna = await s.signIn('P-1')
  const first = await s.topUp(50)
  await s.load('SEEN-1', 'UNSEEN-2')
  const seen = (await s.give()).body
  const unseen = (await s.give()).body
  await anna.do('revealOwnIncentive', seen._id)
  const list = await s.owner.get<'readWallet'>(s.walletUrl)
  const paymentOf = (incentive: string) => present(list.transactions.find((each) => each.incentive === incentive))._id
  const reverse = (_id: string, reason: string | undefined = 'Given twice.') =>
    s.owner.call('POST', `/trials/${s.trial}/wallet/transactions/${_id}/reversal`, { reason })
  expect((await reverse(first._id)).body.message).toContain('The wallet holds 0.00 EUR')
  expect((await reverse(paymentOf(seen._id), ' ')).status).toBe(422)
  const both = await Promise.all([reverse(paymentOf(unseen._id)), reverse(paymentOf(unseen._id))])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  const back = present(both.find(({ status }) => status === 200)).body
  expect(back).toMatchObject({
    ...{ category: 'reversal', amount: 25, balance: 25, reverses: paymentOf(unseen._id), reason: 'Given twice.' },
    ...{ incentive: unseen._id, createdBy: s.owner._id },
  })
  expect((await reverse(back._id)).status).toBe(400)
  const { status, body } = await anna.call('POST', `/participants/incentives/${unseen._id}/code`)
  expect([status, body.message]).toEqual([400, 'This incentive was taken back.'])
  expect((await anna.do('listOwnIncentives')).incentives.map(({ _id }) => _id)).toEqual([seen._id])
  expect((await s.given()).map((each) => each.status)).toEqual(['reversed', 'issued'])
  expect((await reverse(paymentOf(seen._id))).status).toBe(200)
  expect(await s.balance()).toBe(50)
  // Only the code that nobody saw is drawn again.
  const next = (await s.give(s.bert)).body
  expect((await s.owner.post<'revealIncentive'>(`${s.listUrl(s.bert)}/${next._id}/code`)).code).toBe('UNSEEN-2')
  expect((await s.give(s.bert)).status).toBe(400)
  expect((await reverse(paymentOf(seen._id))).status).toBe(400)
  expect(s.problems()).toEqual([])
  const other = s.neighbours()
  const foreign = await other.owner.call('POST', `/trials/${s.trial}/wallet/transactions/${first._id}/reversal`, {
    reason: 'x',
  })
  expect(foreign.status).toBe(404)
})

test('whatever is topped up, given and taken back in whatever order, the wallet is the sum of it and never below zero', async () => {
  const s = await incentiveStudy()
  await s.load(...Array.from({ length: 60 }, (_, at) => `P-${at}`))
  const act = fc.constantFrom('topUp', 'give', 'give', 'reverse' as const)
  let expected = 0
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), async (acts) => {
      for (const each of acts) {
        const { transactions } = await s.owner.get<'readWallet'>(s.walletUrl)
        if (each === 'topUp') expected += (await s.topUp(30)).amount
        if (each === 'give') {
          const { status } = await s.give()
          expect(status === 200).toBe(expected >= 25)
          if (status === 200) expected -= 25
        }
        const last = transactions.find(({ category, reversedBy }) => category !== 'reversal' && !reversedBy)
        if (each === 'reverse' && last) {
          const url = `/trials/${s.trial}/wallet/transactions/${last._id}/reversal` as const
          const { status } = await s.owner.call('POST', url, { reason: 'In error.' })
          expect(status === 200).toBe(expected >= last.amount)
          if (status === 200) expected -= last.amount
        }
        expect(await s.balance()).toBe(expected)
      }
    }),
    { numRuns: runs(12) },
  )
  expect(firstOf((await s.owner.get<'readWallet'>(s.walletUrl)).transactions).balance).toBe(expected)
  expect(s.problems()).toEqual([])
})
