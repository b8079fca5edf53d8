import { expect, test } from 'bun:test'
import { firstOf } from '../../present'
import { proof } from '../../proof'
import { incentiveStudy } from './incentive.study'

test.each([
  ['code\nA-1', 'Line 1: The headers must be code and amount'],
  ['SECRET-1,25\nSECRET-2,25', 'Line 1: The headers must be code and amount'],
  ['code,amount,amount\nA-1,25,25', 'Line 1: The headers'],
  ['code,amount', 'Line 1: There is no row'],
  ['code,amount\nA-1,25\n,25', 'Line 3, code: Must have 1 to 500 characters.'],
  ['code,amount\nA-1,25\nB-1,25\n a-1 ,30', 'Line 4, code: It is in line 2 already.'],
  ['code,amount\nA-1,0', 'Line 2, amount: Must be more than 0.'],
  ['code,amount\nA-1,25.001', 'Line 2, amount: Must have at most 2 decimals.'],
  ['code,amount\nA-1,"1,000.00"', 'Line 2, amount: Must be more than 0.'],
  ['code,amount,expiresOn\nA-1,25,2026-02-30', 'Line 2, expiresOn: Must be a date'],
  ['code,amount,expiresOn\nA-1,25,2026-03-01', 'Line 2, expiresOn: The code has expired.'],
  ['code,amount,currency\nA-1,25,USD', 'Line 2, currency: The brand is given in EUR.'],
  ['code,amount\nA-1,25,extra', 'Line 2: It has more cells than there are headers.'],
])('%j is refused, and nothing is loaded', async (content, problem) => {
  const s = await incentiveStudy()
  const { status, body } = await s.owner.call('POST', s.codesUrl, { content })
  expect([status, firstOf(body.validations.json.content)]).toEqual([422, expect.stringContaining(problem)])
  expect(JSON.stringify(body)).not.toContain('SECRET')
  expect(s.db.$client.query('SELECT * FROM voucherCodes').all()).toEqual([])
})

test('a code that was loaded before is refused with its line, in any trial of the team and whatever its spaces and case', async () => {
  const s = await incentiveStudy()
  await s.load('AAA-1', 'AAA-2')
  const again = { content: 'code,amount\nNEW-1,25\nAAA-2,30\naaa - 1,25\n' }
  const refused = await s.owner.call('POST', s.codesUrl, again)
  expect([refused.status, refused.body.validations.json.content]).toEqual([
    422,
    ['Line 3, code: It was loaded before.', 'Line 4, code: It was loaded before.'],
  ])
  const another = await s.owner.do('createTrial', s.team, { name: 'Another' })
  const { _id } = await s.owner.do('createIncentiveBrand', another._id, {
    brand: 'SHOP',
    brandName: 'The same shop',
    currency: 'EUR',
  })
  expect((await s.owner.call('POST', `/incentive-brands/${_id}/codes`, again)).status).toBe(422)
  // Two at once: one of them gets it.
  const both = await Promise.all(
    ['X-1', 'X-1'].map((code) => s.owner.call('POST', s.codesUrl, { content: `code,amount\n${code},25` })),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  expect((await s.owner.get<'listIncentiveBrands'>(s.brandsUrl)).brands).toMatchObject([
    {
      brand: 'shop',
      isAvailable: true,
      amounts: [{ amount: 25, available: 3, drawn: 0, expired: 0, expiresOn: null }],
    },
  ])
})

test('the code that expires first is drawn first, and none after its last day in the zone of the trial', async () => {
  const s = await incentiveStudy()
  await s.owner.do('updateTrial', s.trial, { timezone: 'America/New_York' })
  await s.topUp(1000)
  const content = [
    'amount;code;expiresOn;PIN;currency',
    '25;never;;;eur',
    '25,00;late;2026-04-30;1111;',
    '25.0;soon;2026-03-03;;EUR',
    '10;other;;;',
  ].join('\r\n')
  expect(await s.owner.do('loadVoucherCodes', s.shop, { content })).toEqual({
    loaded: 4,
    loadedAt: s.now(),
    amounts: [
      { amount: 25, loaded: 3 },
      { amount: 10, loaded: 1 },
    ],
  })
  // In New York it is still the third of March.
  s.clock('2026-03-04T04:59:00Z')
  const codeOf = async () => {
    const { body } = await s.give()
    return s.owner.post<'revealIncentive'>(`${s.listUrl()}/${body._id}/code`)
  }
  expect(await codeOf()).toMatchObject({ code: 'soon', expiresOn: '2026-03-03' })
  await s.owner.do('loadVoucherCodes', s.shop, { content: 'code,amount,expiresOn\nsooner,25,2026-03-03' })
  s.clock('2026-03-04T05:00:00Z')
  expect((await s.owner.get<'listIncentiveBrands'>(s.brandsUrl)).brands[0]!.amounts).toMatchObject([
    { amount: 10, available: 1 },
    { amount: 25, available: 2, drawn: 1, expired: 1, expiresOn: '2026-04-30' },
  ])
  expect(await codeOf()).toMatchObject({ code: 'late', pin: '1111', expiresOn: '2026-04-30' })
  expect(await codeOf()).toMatchObject({ code: 'never', pin: null, expiresOn: null })
  expect((await s.give()).status).toBe(400)
  expect((await s.give(s.anna, { brand: 'SHOP', amount: 10 })).status).toBe(200)
  expect(s.problems()).toEqual([])
})

proof('ten thousand codes are loaded at once, more are refused', async () => {
  const s = await incentiveStudy()
  const content = (count: number) =>
    `code,amount\n${Array.from({ length: count }, (_, at) => `CODE-${at},${(at % 4) + 1}`).join('\n')}`
  const tooMany = await s.owner.call('POST', s.codesUrl, { content: content(10_001) })
  expect([tooMany.status, tooMany.body.message]).toEqual([400, 'A file has at most 10000 codes. Load it in parts.'])
  expect((await s.owner.do('loadVoucherCodes', s.shop, { content: content(10_000) })).loaded).toBe(10_000)
  expect(
    (await s.owner.get<'listIncentiveBrands'>(s.brandsUrl)).brands[0]!.amounts.map(({ available }) => available),
  ).toEqual(Array(4).fill(2500))
  expect(JSON.stringify(await s.entry('loadVoucherCodes'))).not.toContain('CODE-')
  expect(s.problems()).toEqual([])
})

test('brands: what may be in one, and who sees and changes it', async () => {
  const s = await incentiveStudy()
  const body = { brand: 'books', brandName: 'Books', currency: 'EUR' }
  for (const [change, status] of [
    [{ brand: 'SHOP' }, 400],
    [{ brand: 'with space' }, 422],
    [{ brandName: ' ' }, 422],
    [{ brandName: 'half \udc00' }, 422],
    [{ currency: 'EURO' }, 422],
    [{ minimum: 5 }, 422],
    [{ source: 'gateway', minimum: 10, maximum: 5 }, 422],
    [{ source: 'gateway', minimum: 0.001 }, 422],
    [{ isActive: false }, 422],
  ] as const)
    expect([change, (await s.owner.call('POST', s.brandsUrl, { ...body, ...change })).status]).toEqual([change, status])
  const of = (words: string[]) => s.staff(s.trial, words)
  const answers = async (who: ReturnType<typeof of>) => [
    (await who.call('GET', s.brandsUrl)).status,
    (await who.call('PUT', `/incentive-brands/${s.shop}`, { brandName: 'Shop 2' })).status,
    (await who.call('POST', s.codesUrl, { content: `code,amount\n${who._id},5` })).status,
    (await who.call('GET', s.walletUrl)).status,
    (await who.call('GET', s.listUrl())).status,
    (await who.call('POST', s.listUrl(), { brand: 'none', amount: 5 })).status,
    (await who.call('GET', `/trials/${s.trial}/incentives`)).status,
  ]
  expect(await answers(of(['trial.manageWallet']))).toEqual([200, 200, 200, 200, 403, 403, 403])
  expect(await answers(of(['trial.read']))).toEqual([200, 403, 403, 403, 200, 403, 403])
  expect(await answers(of(['trial.write']))).toEqual([200, 403, 403, 403, 200, 403, 403])
  expect(await answers(of(['trial.admin']))).toEqual([200, 200, 200, 200, 200, 400, 200])
  const { owner: stranger } = s.neighbours()
  expect((await stranger.call('PUT', `/incentive-brands/${s.shop}`, { brandName: 'x' })).status).toBe(404)
  await s.load('A-1')
  await s.topUp(100)
  await s.owner.do('updateIncentiveBrand', s.shop, { isActive: false })
  expect((await s.owner.get<'listIncentiveBrands'>(s.brandsUrl)).brands).toEqual([])
  expect(
    (await s.owner.get<'listIncentiveBrands'>(`${s.brandsUrl}?includeInactive=true` as const)).brands,
  ).toHaveLength(1)
  expect((await s.give()).body.message).toBe('The brand “shop” is not given any more.')
  await s.owner.do('updateTeam', s.team, { features: { incentives: false } })
  expect((await s.owner.call('GET', s.brandsUrl)).status).toBe(403)
  expect((await s.owner.call('GET', s.walletUrl)).status).toBe(200)
})

test('codes of a wrong file are removed again, but not those that somebody got', async () => {
  const s = await incentiveStudy()
  await s.topUp(1000)
  await s.load('A-1', 'A-2')
  s.clock(MINUTE)
  const wrong = await s.owner.do('loadVoucherCodes', s.shop, {
    content: 'code,amount,expiresOn\nB-1,25,2026-03-05\nB-2,25,\n',
  })
  expect((await s.give()).status).toBe(200)
  const remove = (body: Record<string, unknown>) => s.owner.call('DELETE', s.codesUrl, body)
  expect((await remove({ loadedAt: wrong.loadedAt })).status).toBe(422)
  expect((await remove({ loadedAt: wrong.loadedAt, reason: 'Of another shop.' })).body).toEqual({ removed: 1 })
  expect(await s.entry('removeVoucherCodes')).toMatchObject({ event: { removed: 1, reason: 'Of another shop.' } })
  expect((await s.owner.get<'listIncentiveBrands'>(s.brandsUrl)).brands[0]!.amounts).toMatchObject([
    { available: 2, drawn: 1 },
  ])
  expect((await remove({ reason: 'All of them.' })).body).toEqual({ removed: 2 })
  expect((await s.owner.call('POST', s.codesUrl, { content: 'code,amount\nB-1,25' })).status).toBe(422)
  await s.load('A-1', 'B-2')
  expect((await s.give()).status).toBe(200)
  expect(() => s.db.$client.run('DELETE FROM voucherCodes')).toThrow('kept')
  expect(() => s.db.$client.run('UPDATE voucherCodes SET incentive = NULL')).toThrow('drawn once')
  expect(() => s.db.$client.run(`UPDATE voucherCodes SET incentive = 'x'`)).toThrow('drawn once')
  expect(s.problems()).toEqual([])
})

const MINUTE = 60e6
