/** A trial that was deleted is hidden from everybody, and comes back whole. */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { problemsIn } from '#cli/checks'
import { purgeTrials } from '#exchange/deletions/trialPurge'
import { DAY, parseInstant } from '#kernel/time'
import { uploadPath } from '#storage/names'
import { everything } from '../../everything'
import { afterKill, PASSWORD } from '../../harness'
import { firstOf } from '../../present'
import { proof } from '../../proof'
import { keepDeleted } from '../../purge'
import { until } from '../../until'
import { allRows } from './tables'

const reason = 'By mistake'

const HIDDEN = `SELECT t.code, f.formKey FROM trials t JOIN consentForms f ON f.trial = t._id WHERE t.deletedAt IS NOT NULL`

async function deletable() {
  const all = await everything()
  keepDeleted(all)
  all.db.$client.run(`UPDATE deletions SET status = 'restored'`)
  const confirmed = async (who: { _id: string; email: string }) => {
    const person = await all.signInStaff(who)
    await person.do('confirmIdentity', { password: PASSWORD })
    return person
  }
  return { ...all, confirmed, at: `/trials/${all.trial}` as const }
}

test('nobody sees it, and it comes back as it was', async () => {
  const w = await deletable()
  const anna = await w.signIn()
  const stranger = w.staff(w.trial, ['trial.read'])
  const { code } = await w.owner.do('readTrial', w.trial)
  w.service.flush()
  await w.service.services.tick()
  const before = allRows(w.db, ['deletedChains', 'trialInsights', 'webhooks'])
  expect(await w.owner.do('deleteTrial', w.trial)).toEqual({})
  expect((await w.owner.call('GET', w.at)).status).toBe(404)
  expect((await stranger.call('GET', w.at)).status).toBe(404)
  expect((await anna.call('GET', '/participants/me')).status).toBe(401)
  const signIn = { trialCode: code, participantId: 'P-1', password: 'correct horse' }
  expect((await w.nobody.call('POST', '/participants/sessions', signIn)).status).toBe(401)
  for (const path of [`/stage-tokens/${w.params['stage-tokens/token']}`, `/polls/${code}/${w.params.stageId}`])
    expect([path, (await w.nobody.call('GET', path)).status]).toEqual([path, 404])
  // Its rows have a code meanwhile, by which nobody finds them either.
  const hidden = firstOf(w.db.$client.query<{ code: string; formKey: string }, []>(HIDDEN).all())
  const asHidden = { ...signIn, trialCode: hidden.code }
  expect((await w.nobody.call('POST', '/participants/sessions', asHidden)).status).toBe(401)
  const form = `/consent/${hidden.code}/${hidden.formKey}`
  expect((await w.nobody.call('GET', form)).status).toBe(404)
  const withdrawal = { method: 'email', address: 'ann@example.org' }
  expect((await w.nobody.call('POST', `${form}/withdrawals`, withdrawal)).status).toBe(404)
  const listed = await w.owner.do('listTrials', w.team, { includeArchived: true })
  expect(listed.trials.map(({ _id }) => _id)).not.toContain(w.trial)
  expect((await w.owner.do('readTeam', w.team)).participantCount).toBe(0)
  w.service.flush()
  expect(problemsIn(w.db.$client)).toEqual([])
  const { deletions } = await w.owner.do('listDeletedTrials', w.team)
  expect(deletions).toMatchObject([{ kind: 'trial', subject: w.trial, name: 'Breath study' }])
  const restoration = `${w.at}/restoration` as const
  expect((await w.owner.call('POST', restoration, { reason })).body.details.code).toBe('reauth')
  const other = await w.confirmed(w.invite([]))
  expect((await other.call('POST', restoration, { reason })).status).toBe(404)
  const admin = await w.confirmed(w.owner)
  expect(await admin.post<'restoreTrial'>(restoration, { reason })).toEqual({
    _id: w.trial,
    kind: 'trial',
    name: 'Breath study',
  })
  w.service.flush()
  expect(problemsIn(w.db.$client)).toEqual([])
  await w.service.services.tick() // reminders are planned again
  const people = { users: [], jobs: [], apiKeys: [], teamMembers: [] }
  expect({ ...allRows(w.db, ['deletedChains', 'trialInsights', 'webhooks']), ...people }).toEqual({
    ...before,
    ...people,
  })
  expect((await w.owner.do('readTrial', w.trial)).code).toBe(code)
  expect((await anna.call('GET', '/participants/me')).status).toBe(200)
  expect((await admin.call('POST', restoration, { reason })).status).toBe(404)
})

proof('of one with a signature, a consent or an allocation, a study record is left', async () => {
  const w = await deletable()
  await w.owner.do('deleteTrial', w.trial)
  w.clock(30 * DAY)
  const { tick } = w.service.services
  const left = () => w.db.$client.query('SELECT 1 FROM trials WHERE _id = ?').get(w.trial)
  await until(async () => {
    await tick()
    return left() === null
  })
  w.service.flush()
  expect(problemsIn(w.db.$client)).toEqual([])
  const files = w.db.$client
    .query<{ storedName: string; forId: string }, []>('SELECT storedName, forId FROM files')
    .all()
  const record = firstOf(files.filter(({ forId }) => forId === w.team))
  expect(existsSync(uploadPath(join(w.directory, 'files'), record.storedName))).toBe(true)
  expect((await w.owner.do('listDeletedTrials', w.team)).deletions).toEqual([])
})

test('a purge before the time needs another admin', async () => {
  const w = await deletable()
  await w.owner.do('deleteTrial', w.trial)
  const { _id } = firstOf((await w.owner.do('listDeletedTrials', w.team)).deletions)
  const purge = `/teams/${w.team}/deletions/${_id}/purge` as const
  const admin = await w.confirmed(w.owner)
  expect((await admin.call('POST', `${purge}/confirmation`, {})).status).toBe(400)
  expect(await admin.do('purgeDeletedTrial', w.team, _id, { reason })).toEqual({ isPurged: false })
  expect((await admin.call('POST', `${purge}/confirmation`, {})).status).toBe(400)
  const second = await w.confirmed(w.invite(['team.admin']))
  expect(await second.do('confirmTrialPurge', w.team, _id, {})).toEqual({ isPurged: true })
})

proof('it is purged in steps, and after a kill between any two of them the next start goes on', async () => {
  const w = await deletable()
  const left = (db: typeof w.db) =>
    db.$client
      .query<{ trials: number; people: number; entries: number }, [{ trial: string }]>(
        `SELECT (SELECT count(*) FROM trials WHERE _id = $trial) AS trials,
           (SELECT count(*) FROM participants WHERE trial = $trial) AS people,
           (SELECT count(*) FROM auditEntries WHERE chain = $trial) AS entries`,
      )
      .get({ trial: w.trial })!
  await w.owner.do('deleteTrial', w.trial)
  w.db.$client.run(`UPDATE deletions SET record = 'kept before' WHERE subject = '${w.trial}'`)
  w.clock(30 * DAY)
  const now = parseInstant(w.now())!
  const states = new Set<string>()
  let kept = left(w.db)
  while (await purgeTrials(w.service.services, now)) {
    kept = left(w.db)
    states.add(`${kept.trials} ${kept.people > 0} ${kept.entries > 0}`)
    const again = afterKill(w)
    expect(problemsIn(again.services.db.$client)).toEqual([])
    while (await purgeTrials(again.services, now));
    expect(left(again.services.db)).toEqual({ trials: 0, people: 0, entries: 0 })
    expect(problemsIn(again.services.db.$client)).toEqual([])
  }
  expect(kept).toEqual({ trials: 0, people: 0, entries: 0 })
  expect([...states]).toEqual(expect.arrayContaining(['1 false true', '0 false false']))
})

test('the account of a person names no trial that was deleted', async () => {
  const w = await everything()
  keepDeleted(w)
  const named = async () => JSON.stringify(await w.owner.do('readOwnUser')).includes(w.trial)
  expect(await named()).toBe(true)
  await w.owner.do('deleteTrial', w.trial)
  expect(await named()).toBe(false)
})
