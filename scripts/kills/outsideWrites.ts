/** The writes of which outside services learn, and that the server is killed under: events for webhooks, and orders of gift cards. */
import type { Write } from './guarantees'
import { type Api, ask, type Gateway, WEBHOOK_PARTICIPANT } from './server'

type OutsideSetup = { participant: string; events: Gateway['told'] }

/** Makes the webhook, a participant whose answers it is told, and the brand of the gateway. */
export async function prepareOutside(api: Api, at: string, gateway: Gateway): Promise<OutsideSetup> {
  const made = async (path: string, body: unknown) => (await ask(api, 'POST', path, body)).body
  const { _id } = await made(`${at}/participants`, { participantId: WEBHOOK_PARTICIPANT })
  await made(`${at}/webhooks`, { name: 'Receiver', url: `${gateway.url}/hook`, events: ['response.submitted'] })
  const card = { brand: 'card', brandName: 'Card', currency: 'EUR', source: 'gateway' }
  await made(`${at}/incentives/brands`, card)
  return { participant: _id, events: gateway.told }
}

/** These writes, by what they are called in a report. */
export function outsideWritesOf(study: {
  at: string
  pulse: string
  diary: string
  outside: OutsideSetup
}): Readonly<Record<string, Write>> {
  const { at, pulse, diary, outside } = study
  return {
    async event(api, n) {
      await ask(api, 'PUT', `${at}/participants/${outside.participant}/responses/${diary}`, {
        response: { [pulse]: { value: n } },
      })
      return {
        what: `the event ${n}`,
        async holds() {
          for (let tries = 0; tries < 300 && !outside.events.has(n); tries++) await Bun.sleep(100)
          return outside.events.has(n)
        },
      }
    },
    async 'gift card'(api, n) {
      const { body } = await ask(api, 'POST', `${at}/participants`, { participantId: `G-${n}` })
      const path = `${at}/participants/${body.participants?.[0]?._id ?? body._id}/incentives`
      await ask(api, 'POST', path, { brand: 'card', amount: 5 })
      return {
        what: `the gift card ${n}`,
        // One whose answer a kill took is ordered again after a minute.
        holds: async (api) => {
          const { incentives } = (await ask(api, 'GET', path)).body
          return incentives.length === 1 && /^(ordered|issued)$/.test(incentives[0].status)
        },
      }
    },
  }
}
