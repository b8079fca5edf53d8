/** What background tasks changed in a trial is no contradiction after the trial was deleted with its part of the audit trail. */
import { expect, test } from 'bun:test'
import { problemsIn } from '#cli/checks'
import { reached } from '../outbox/study'

test('a message that was sent to a new number is no fault after its trial was deleted', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('{}') })
  const s = await reached({ sms: { url: `${server.url}`, body: '{"to":"{to}","text":"{text}"}' } })
  await s.owner.post(`${s.self}/messages`, { message: 'Hello', sendVia: ['sms'] })
  await s.owner.put(s.self, { phone: '+44 7700 900999' })
  await s.wait(0)
  expect(s.rows()).toMatchObject([{ status: 'sent', recipient: '+44 7700 900999' }])
  s.service.flush()
  expect(problemsIn(s.db.$client)).toEqual([])
  await s.owner.delete(`/trials/${s.trial}`)
  s.service.flush()
  expect(problemsIn(s.db.$client)).toEqual([])
  server.stop(true)
})
