import { expect, test } from 'bun:test'
import { checks } from '#cli/checks'
import { afterKill } from '../../harness'
import { study } from '../../study'

test('the history of a deleted response is kept after its stage is deleted, also after a restart', async () => {
  const s = await study()
  const { owner, trial, stage } = s
  const { _id } = (await s.enter({ pulse: 64 })).body
  await owner.do('deleteResponse', trial, _id, { reason: 'entered twice' })
  await owner.do('deleteStage', stage)
  const after = afterKill(s)
  const request = new Request(`http://localhost/trials/${trial}/logs?type=submitResponse`, {
    headers: owner.credentials,
  })
  const answer = await after.handle(request, null)
  expect(answer.status).toBe(200)
  const { entries } = (await answer.json()) as { entries: { event: unknown }[] }
  expect(JSON.stringify(entries)).toContain('64')
  for (const check of checks) check.run(after.services.db.$client)
})

test('verify finds a submission whose layout is missing', async () => {
  const s = await study()
  await s.enter({ pulse: 64 })
  expect(() => s.db.$client.run('DELETE FROM layouts')).toThrow('layouts are kept')
  s.db.$client.run('DROP TRIGGER layoutsAreKept')
  s.db.$client.run('DELETE FROM layouts')
  expect(() => {
    for (const check of checks) check.run(s.db.$client)
  }).toThrow('has lost its layout')
})
