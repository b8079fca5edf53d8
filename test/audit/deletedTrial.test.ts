/** What background tasks changed in a trial is no contradiction after the trial was deleted with its part of the audit trail. */
import { expect, test } from 'bun:test'
import { problemsIn } from '#cli/checks'
import { DAY } from '#kernel/time'
import { world } from '../harness'
import { reached } from '../outbox/study'

test('a message that was sent to a new number is no fault after its trial was deleted', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('{}') })
  const s = await reached({ sms: { url: `${server.url}`, body: '{"to":"{to}","text":"{text}"}' } })
  await s.owner.do('sendMessage', s.trial, s.anna, { message: 'Hello', sendVia: ['sms'] })
  await s.owner.do('updateParticipant', s.trial, s.anna, { phone: '+44 7700 900999' })
  await s.wait(0)
  expect(s.rows()).toMatchObject([{ status: 'sent', recipient: '+44 7700 900999' }])
  s.service.flush()
  expect(problemsIn(s.db.$client)).toEqual([])
  await s.owner.do('deleteTrial', s.trial)
  s.service.flush()
  expect(problemsIn(s.db.$client)).toEqual([])
  await s.wait(30 * DAY)
  s.service.flush()
  expect(problemsIn(s.db.$client)).toEqual([])
  server.stop(true)
})

test('a request that is refused while its trial is being deleted writes nothing to the trail of that trial', async () => {
  const w = world()
  const trial = w.trial()
  const viewer = w.staff(trial, ['trial.read'])
  const rename = () => viewer.call('PUT', `/trials/${trial}`, { name: 'Another name' })
  const answers = await Promise.all([rename(), w.owner.call('DELETE', `/trials/${trial}`), rename()])
  expect(answers.map(({ status }) => status)).toEqual([403, 200, 403])
  w.clock(30 * DAY)
  await w.service.services.tick()
  w.service.flush()
  expect(w.db.$client.query('SELECT type FROM auditEntries WHERE chain = ?').values(trial)).toEqual([])
  expect(problemsIn(w.db.$client)).toEqual([])
})
