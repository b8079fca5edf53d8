/** An erasure leaves no traces: in the file of the database, in what is on its way, on the disk. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemsIn } from '#cli/checks'
import { DAY } from '#kernel/time'
import { recordOutcome } from '#outbox/queue'
import { uploadPath } from '#storage/names'
import { backedUp, directory, restored } from '../../cli/backup.study'
import { ended } from '../../exchange/studyRecord/archive'
import { present } from '../../present'
import { study } from '../../study'
import { until } from '../../until'
import { person, personal } from './person'

const reason = { reason: 'asked us by letter' }

test.each(['erasure', 'deletion'])('(%s) leaves nothing personal in the free space of the file', async (how) => {
  const s = await person()
  const file = () => {
    s.db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
    return readFileSync(join(s.directory, 'trialbox.db')).toString('latin1')
  }
  expect(file()).toContain('Quux')
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  if (how === 'erasure') await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
  else await s.owner.do('deleteParticipant', s.trial, s.anna, reason)
  if (how === 'deletion') {
    s.clock(30 * DAY)
    await s.service.services.tick()
  }
  expect(file()).not.toContain('Quux')
  expect(problemsIn(s.db.$client)).toEqual([])
})

test('leaves no words about a delivery, also of a message that was on its way', async () => {
  const s = await person()
  const { messages } = await s.owner.do('readMessages', s.trial)
  const [handed, sending] = messages.filter(({ status }) => status === 'notSent').map(({ _id }) => _id)
  await s.owner.do('recordHandOver', s.trial, handed, {
    status: 'handedOver',
    note: 'read to her sister, Mrs Quuxlind',
  })
  s.db.$client.run(`UPDATE outbox SET status = 'sending' WHERE _id = ?`, [present(sending)])
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
  const outgoing = { _id: present(sending), channel: 'sms', participant: s.anna, attempts: 1 } as const
  const message = { ...outgoing, recipient: personal.phone, subject: null, body: personal.message, expiresAt: null }
  recordOutcome(s.db, message, { is: 'again', detail: 'No such user quux.' }, 'notSent', 5, 6)
  const rows = (await s.owner.do('readMessages', s.trial)).messages.filter(({ _id }) => [handed, sending].includes(_id))
  expect(rows.map(({ status, detail }) => [status, detail]).toSorted()).toEqual([
    ['handedOver', null],
    ['unknown', 'The personal information of the participant was erased.'],
  ])
  expect(s.everything()).not.toContain('Quux')
  expect(s.everything()).not.toContain('quux')
})

test('leaves in place of texts a word in the language of the trial', async () => {
  const s = await person()
  await s.owner.do('updateTrial', s.trial, { languages: ['de'] })
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
  expect((await s.owner.do('listNotes', s.trial, s.anna)).notes.map(({ note }) => note)).toEqual(['Gelöscht.'])
  const { queries } = await s.owner.do('listQueries', s.trial)
  expect(queries.flatMap(({ messages }) => messages.map(({ text }) => text)).toSorted()).toEqual([
    'Gelöscht.',
    'Pulse at rest?',
  ])
  expect(problemsIn(s.db.$client)).toEqual([])
})

test.each(['erasure', 'deletion'])(
  '(%s) removes the files although the server stopped before it could',
  async (how) => {
    const s = await person()
    const path = uploadPath(join(s.directory, 'files'), s.files.letter!.fileName)
    const { storage } = s.service.services
    const { remove } = storage
    storage.remove = () => Promise.reject(new Error('stopped'))
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    if (how === 'erasure') await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
    else {
      await s.owner.do('deleteParticipant', s.trial, s.anna, reason)
      s.clock(30 * DAY)
      await s.service.services.tick()
    }
    await until(() => s.takeFaults().length > 0)
    expect(existsSync(path)).toBe(true)
    storage.remove = remove
    await s.service.services.tick()
    expect(existsSync(path)).toBe(false)
    expect(s.db.$client.query(`SELECT count(*) AS n FROM jobs WHERE kind = 'fileRemoval'`).get()).toEqual({ n: 0 })
  },
)

test.each([
  ['an erasure', 'The personal information was erased before the report was written. Ask for another one.'],
  ['a deletion', 'The participant was deleted.'],
])('%s ends a report that is being written, and leaves no file of it', async (how, message) => {
  const s = await study()
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  const { pool } = s.service.services
  const { perform } = pool
  pool.perform = async (task, options) => {
    const result = await perform(task, options)
    await (how === 'an erasure'
      ? s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
      : s.owner.do('deleteParticipant', s.trial, s.anna, reason))
    return result
  }
  const { jobId } = await s.owner.do('exportPersonalData', s.trial, s.anna)
  expect(await ended(s.owner, jobId)).toMatchObject({ status: 'error', error: message, result: null })
  await until(() => readdirSync(join(s.directory, 'exports')).length === 0)
})

test('two erasures and a report at once are each whole', async () => {
  const s = await person()
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  const [{ jobId }, ...erased] = await Promise.all([
    s.owner.do('exportPersonalData', s.trial, s.anna),
    s.owner.call('POST', `${s.at}/erasure`, reason),
    s.owner.call('POST', `${s.at}/erasure`, reason),
  ])
  expect(erased.map(({ status }) => status)).toEqual([200, 200])
  expect(['done', 'error']).toContain(`${(await ended(s.owner, jobId)).status}`)
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'erasePersonalInformation' })
  expect(entries).toHaveLength(2)
  expect(s.everything()).not.toContain('Quux')
  expect(problemsIn(s.db.$client)).toEqual([])
})

test('a backup after an erasure, and what is restored of it, has nothing of it', async () => {
  const s = await person()
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
  const { root } = directory([])
  s.db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  copyFileSync(join(s.directory, 'trialbox.db'), join(root, 'trialbox.db'))
  cpSync(join(s.directory, 'files'), join(root, 'files'), { recursive: true })
  const { archive } = await backedUp(root)
  expect(readFileSync(archive).toString('latin1')).not.toContain('Quux')
  const { data } = await restored(archive)
  const sqlite = new Database(join(data, 'trialbox.db'), { readonly: true })
  expect(problemsIn(sqlite)).toEqual([])
  expect(sqlite.query('SELECT name, erasedAt > 0 AS isErased FROM participants WHERE _id = ?').get(s.anna)).toEqual({
    name: null,
    isErased: 1,
  })
  sqlite.close()
})

test('what is sent again after the erasure with its Idempotency-Key is 410, and is not done a second time', async () => {
  const s = await person()
  const send = () =>
    s.owner.call(
      'POST',
      `${s.at}/notes`,
      { note: 'Quux called.', inRelationToDate: '2026-03-01' },
      {
        headers: { 'Idempotency-Key': 'noted' },
      },
    )
  const first = await send()
  expect([first.status, (await send()).body]).toEqual([200, first.body])
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
  const again = await send()
  expect([again.status, JSON.stringify(again.body)]).toEqual([410, expect.not.stringContaining('Quux')])
  expect(s.everything()).not.toContain('Quux called')
})
