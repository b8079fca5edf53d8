/** The writes about money that the server is killed under: codes that are given, and a rule that pays by itself. */
import type { Guarantee, Write } from './guarantees'
import { type Api, ask } from './server'

type IncentiveSetup = { paidStage: string }

/** More codes than a run needs. */
const CODES = 10_000

/** Makes the brand and the rule, loads codes, and fills the wallet, which works in a session only. */
export async function prepareIncentives(
  api: Api & { session: Record<string, string> },
  at: string,
  components: object[],
): Promise<IncentiveSetup> {
  const made = async (path: string, body: unknown): Promise<string> => (await ask(api, 'POST', path, body)).body._id
  const card = { brand: 'shop', brandName: 'Shop', currency: 'EUR' }
  const brand = await made(`${at}/incentives/brands`, card)
  const codes = Array.from({ length: CODES }, (_, at) => `CODE-${at},5`)
  await ask(api, 'POST', `/incentive-brands/${brand}/codes`, { content: `code,amount\n${codes.join('\n')}` })
  const money = { amount: 1_000_000, currency: 'EUR' }
  await ask({ ...api, key: '' }, 'POST', `${at}/wallet/top-ups`, money, api.session)
  const paidStage = await made(`${at}/stages`, { name: 'Paid', components })
  await made(`${at}/incentives/rules`, { stage: paidStage, brand: 'shop', amount: 5 })
  return { paidStage }
}

/** These writes, by what they are called in a report. */
export function incentiveWritesOf(study: {
  at: string
  pulse: string
  incentives: IncentiveSetup
}): Readonly<Record<string, Write>> {
  const { at, pulse, incentives } = study
  /** Two incentives, one of them by the rule, with a code each. The rule pays a moment after the answer. */
  const paidTwice = (what: string, path: string): Guarantee => ({
    what,
    async holds(api) {
      for (let tries = 0; tries < 100; tries++) {
        const found: { status: string; rule: string | null }[] = (await ask(api, 'GET', path)).body.incentives
        if (found.length > 2) return false
        if (found.length === 2 && found.every(({ status }) => status === 'issued'))
          return found.filter(({ rule }) => rule !== null).length === 1
        await Bun.sleep(100)
      }
      return false
    },
  })
  return {
    async incentive(api, n) {
      const { body } = await ask(api, 'POST', `${at}/participants`, { participantId: `I-${n}` })
      const of = `${at}/participants/${body.participants?.[0]?._id ?? body._id}`
      await ask(api, 'PUT', `${of}/responses/${incentives.paidStage}`, { response: { [pulse]: { value: 60 } } })
      await ask(api, 'POST', `${of}/incentives`, { brand: 'shop', amount: 5 })
      return paidTwice(`the incentives ${n}`, `${of}/incentives`)
    },
  }
}
