/** A study with an AI endpoint that writes texts about insights. */
import { afterEach } from 'bun:test'
import { ended } from '../../../exchange/generation/generation.study'
import { world } from '../../../harness'
import { study } from '../../../study'

export const servers: { stop(force: boolean): unknown }[] = []
afterEach(() => servers.splice(0).forEach((server) => void server.stop(true)))

/** An endpoint that keeps the bodies that it received, and answers with this. */
export function endpoint(answer: unknown = { text: 'The pulse rises by 4 a day (n = 3).' }) {
  const bodies: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      bodies.push(await request.text())
      if (answer instanceof Response) return answer
      const content = typeof answer === 'string' ? answer : JSON.stringify(answer)
      return Response.json({ choices: [{ message: { content } }] })
    },
  })
  servers.push(server)
  return { url: `http://127.0.0.1:${server.port}/v1`, bodies }
}

const daily = { isRecurring: true, recurringFrequency: 1, recurringDuration: 6, availabilityWindowHours: 24 }
const rule = { id: 'r', points: 2, operator: 'more', value: 60 }
const components = { pulse: { title: 'Pulse', scoringRules: [rule] }, sleep: { title: 'Sleep' } }

export async function asking(ai = endpoint()) {
  const w = world({ ai: { url: ai.url, key: 'a-secret-key', model: 'small', timeLimit: 30_000 } })
  const s = await study({ world: w, stage: { ...daily, component: components } })
  await s.owner.do('updateTrial', s.trial, { participantInsightsEnabled: true, trialInsightsEnabled: true })
  const about = `/trials/${s.trial}/participants/${s.anna}/insights` as const
  for (const [n, answers] of [{ pulse: 60 }, { pulse: 64 }, { pulse: 68 }].entries()) {
    await s.enter(answers, {}, s.owner, s.url(s.anna, `${s.stage}::${n}`))
    s.clock(86_400e6)
  }
  return {
    ...s,
    ai,
    about,
    ask: async () => ended(s.owner, (await s.owner.do('askForParticipantInsights', s.trial, s.anna)).jobId!),
  }
}
