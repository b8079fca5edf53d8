/** A study whose participants are given voucher codes. */
import { checks } from '#cli/checks'
import { study } from '../../study'

type Study = Awaited<ReturnType<typeof study>>

/** A study with a brand, and short forms. @param given of a world with other services, such as a gateway */
export async function incentiveStudy(given?: Study) {
  const s = given ?? (await study())
  const { owner, trial, anna } = s
  const cashier = await s.signInStaff(owner)
  const { _id: shop } = await owner.do('createIncentiveBrand', trial, {
    brand: 'shop',
    brandName: 'Corner shop',
    currency: 'EUR',
  })
  const codesUrl = `/incentive-brands/${shop}/codes` as const
  const listUrl = (participant = anna) => `/trials/${trial}/participants/${participant}/incentives` as const
  return {
    ...s,
    cashier,
    shop,
    codesUrl,
    listUrl,
    walletUrl: `/trials/${trial}/wallet/balance` as const,
    rulesUrl: `/trials/${trial}/incentives/rules` as const,
    brandsUrl: `/trials/${trial}/incentives/brands` as const,
    topUp: (amount: number, currency = 'EUR') => cashier.do('topUpWallet', trial, { amount, currency }),
    /** Loads codes with these names over 25 EUR, or the given lines. */
    load: (...codes: string[]) =>
      owner.do('loadVoucherCodes', shop, { content: ['code,amount', ...codes.map((code) => `${code},25`)].join('\n') }),
    give: (participant = anna, body: Record<string, unknown> = { brand: 'shop', amount: 25 }) =>
      owner.call('POST', listUrl(participant), body),
    balance: async () => (await owner.do('readWallet', trial)).balance,
    given: async (participant = anna) => (await owner.get<'listIncentives'>(listUrl(participant))).incentives,
    /** The newest audit entry of this type. */
    entry: async (type: string) => (await owner.do('readLogs', trial, { type })).entries[0],
    tick: () => s.service.services.tick(),
    /** What `verify` finds wrong. */
    problems() {
      const { $client } = s.db
      s.service.flush()
      return checks.flatMap(({ name, run }) => {
        try {
          run($client)
          return []
        } catch (error) {
          return [`${name}: ${(error as Error).message}`]
        }
      })
    },
  }
}
