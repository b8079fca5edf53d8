import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packAccess } from '#access/packedAccess'
import { insertApiKey } from '#accounts/users/apiKeys'
import { insertOwner } from '#accounts/users/owner'
import { drizzleOf, openSqlite } from '#db/open'
import { writeStudyRecord } from '#exchange/studyRecord/write'
import { sha256 } from '#kernel/id'
import { DAY, parseInstant } from '#kernel/time'
import { openService } from '#server/service'
import { program } from '#start/program'
import { newStoredName, uploadPath } from '#storage/names'
import { insertFile } from '#storage/store'
import { present } from '../../present'
import { proof } from '../../proof'
import { type Study, study } from '../../study'
import { temporaryFolder } from '../../temporary'
import { insertTrial } from '../../trial'
import { until } from '../../until'
import { twoSites } from '../exports/exports.study'
import { downloaded, ended, manifestIn, partsOf, recordOf, rowsIn } from './archive'

/** An upload of a participant, written directly to its place. */
function uploaded({ db, service, owner, trial, now }: Study, forId: string, bytes: Uint8Array, name = 'a.pdf') {
  const at = parseInstant(now())!
  const storedName = newStoredName(name, at)
  const path = uploadPath(service.services.storage.files, storedName)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  insertFile(db, {
    ...{ storedName, createdAt: at, kind: 'upload', trial, forType: 'participant', forId, createdBy: owner._id, name },
    ...{ type: 'application/pdf', size: bytes.length, sha256: sha256(bytes), finishedAt: at },
  })
  return { value: { fileName: storedName, name }, storedName, path, bytes }
}

const madeIn = async (s: Study) => {
  const { jobId } = await s.owner.do('exportStudyRecord', s.trial)
  return ended(s.owner, jobId)
}

test('a study record has everything, and its manifest is correct', async () => {
  const s = await study({ stage: { name: 'Visit / Überblick' } })
  const { owner, trial, anna, bert, carl, ids } = s
  const letter = uploaded(s, anna, crypto.getRandomValues(new Uint8Array(60_000)))
  const unused = uploaded(s, anna, Buffer.from('never answered with'))
  await owner.do('updateParticipant', trial, anna, { name: 'Anna Alt', email: 'anna@example.org' })
  expect((await s.enter({ pulse: 72, symptom: '=1+1', smoker: ['No'], letter: letter.value })).status).toBe(200)
  await s.enter({ pulse: 80 }, {}, owner, s.url(bert))
  await s.enter({ pulse: 99 }, {}, owner, s.url(carl))
  await owner.do('updateParticipant', trial, carl, { isArchived: true })
  await owner.do('updateDataType', ids.pulse, { isRestricted: true })
  await owner.do('updateDataType', ids.symptom, { isPii: true })
  await owner.do('createConfigurationVersion', trial, { note: 'One' })

  const made = await madeIn(s)
  const { result: _, ...job } = made
  const result = recordOf(made)
  expect(job).toEqual({ status: 'done', progress: 'Done.', error: null })
  const { total: asked } = await owner.do('readLogs', trial)
  expect<unknown>(result).toEqual({
    request: expect.stringMatching(/^http:\/\/localhost\/storage\/files\//),
    fileName: 'breath-study study record 2026-03-02.zip',
    counts: {
      ...{ stages: 1, dataTypes: Object.keys(ids).length, participants: 2, archivedParticipants: 1, responses: 2 },
      ...{
        casebooks: 2,
        hardwareRecords: 0,
        messages: 0,
        siteMessages: 0,
        files: 1,
        auditEntries: asked,
        accountEntries: 0,
        configurationVersions: 1,
      },
    },
    amiss: [],
  })
  const parts = partsOf(await downloaded(s, result.request))
  const table = 'data/Visit _ Überblick.csv'
  const letterPart = `files/${letter.storedName}`
  expect([...parts.keys()]).toEqual([
    ...['participants.csv', 'review/signatures.csv', 'review/queries.csv', 'review/query-messages.csv'],
    ...[
      'review/verifications.csv',
      'review/held-entries.csv',
      'conduct/people.csv',
      'consent-forms.json',
      'consents.json',
      table,
      table.replace('.csv', '.json'),
      table.replace('.csv', '.xml'),
    ],
    ...['codebook.csv', 'codebook.html', 'codebook.xlsx', 'data-history.csv', 'casebooks/P-1.pdf', 'casebooks/P-2.pdf'],
    'site-messages.csv',
    ...['messages.csv', 'audit-trail.csv', 'audit-chain.jsonl', 'account-log.csv'],
    ...['reads.csv', 'reads-chain.jsonl', 'configuration-versions.json'],
    ...[letterPart, 'study.json', 'MANIFEST', 'SIGNATURE.json'],
  ])
  const manifest = manifestIn(parts)
  expect(manifest.said).toEqual(manifest.true)
  expect(parts.get(letterPart)!.equals(letter.bytes as Buffer)).toBe(true)
  expect(parts.has(`files/${unused.storedName}`)).toBe(false)

  // The same rows as the export of the trial, restricted and PII fields among them.
  const rows = rowsIn(parts, table)
  expect(rows).toMatchObject([
    {
      participantId: 'P-1',
      pulse: '72',
      symptom: '=1+1',
      smoker: 'No',
      letter: 'a.pdf',
      letter_file: letter.storedName,
    },
    { participantId: 'P-2', pulse: '80', symptom: '' },
  ])
  const book = rowsIn(parts, 'codebook.csv')
  expect(book.map(({ code }) => code)).toEqual(Object.keys(ids))
  expect(book.find(({ code }) => code === 'smoker')).toMatchObject({ format: 'choice', options: '1 = Yes; 0 = No' })
  expect(book.find(({ code }) => code === 'pulse')).toMatchObject({
    ...{ _id: ids.pulse, format: 'integer', isRestricted: 'true', isPii: 'false', stages: 'Visit / Überblick' },
    settings: JSON.stringify({ min: 30, max: 220 }),
  })
  expect(rowsIn(parts, 'participants.csv')).toMatchObject([
    { participantId: 'P-1', _id: anna, name: 'Anna Alt', email: 'anna@example.org' },
    { participantId: 'P-2', _id: bert, name: '' },
  ])

  const trail = rowsIn(parts, 'audit-trail.csv')
  expect(trail.map(({ number }) => number)).toEqual(Array.from({ length: present(asked) }, (_, at) => `${at + 1}`))
  expect(trail.at(-1)).toMatchObject({ type: 'exportStudyRecord', userType: 'user', userEmail: owner.email })
  const stored = s.db.$client
    .query('SELECT hash FROM auditEntries WHERE chain = ? ORDER BY number')
    .all(trial)
    .map((row) => (row as { hash: string }).hash)
  expect(trail.map(({ hash }) => hash)).toEqual(stored)
  const edit = trail.find(({ type }) => type === 'updateParticipant')!
  expect(JSON.parse(edit.event!).personal).toBeDefined()
  const submission = trail.find(({ type }) => type === 'submitResponse')!
  expect(JSON.parse(submission.event!).changes).toContainEqual({ dataType: ids.pulse, before: null, after: 72 })

  const { versions } = JSON.parse(`${parts.get('configuration-versions.json')}`)
  const version = await owner.do('readConfigurationVersion', trial, '1')
  expect(versions).toEqual([{ ...version, trial }])
  const { configuration, ...told } = JSON.parse(`${parts.get('study.json')}`)
  expect(configuration).toEqual(version.snapshot)
  expect(told).toMatchObject({
    ...{ format: 2, requestedAt: s.now(), counts: result.counts, amiss: [] },
    trial: { _id: trial, name: 'Breath study', code: 'breath-study', team: s.team },
  })

  const { entries } = await owner.do('readLogs', trial, { type: 'exportStudyRecord' })
  expect(entries).toMatchObject([{ event: { trialId: trial, format: 'zip', jobId: expect.any(String) } }])
})

test('the link is valid for five days, to the microsecond', async () => {
  const s = await study()
  const { request } = recordOf(await madeIn(s))
  s.clock(5 * DAY - 1)
  expect((await s.fetch(request)).status).toBe(200)
  s.clock(1)
  expect((await s.fetch(request)).status).toBe(403)
})

test('a missing or altered upload is reported in the record', async () => {
  const s = await study()
  const [gone, altered] = [uploaded(s, s.anna, Buffer.from('one')), uploaded(s, s.bert, Buffer.from('two'))]
  await s.enter({ letter: gone.value })
  await s.enter({ letter: altered.value }, {}, s.owner, s.url(s.bert))
  rmSync(gone.path)
  writeFileSync(altered.path, 'not two')
  const result = recordOf(await madeIn(s))
  expect(result.amiss).toEqual(
    [
      { name: gone.storedName, problem: 'is missing' },
      { name: altered.storedName, problem: 'is not what was uploaded' },
    ].sort((a, b) => (a.name < b.name ? -1 : 1)),
  )
  expect(result.counts.files).toBe(1)
  const parts = partsOf(await downloaded(s, result.request))
  expect(manifestIn(parts).said).toEqual(manifestIn(parts).true)
})

test('stages with the same name have separate tables, and an empty trial has a record too', async () => {
  const s = await study()
  for (const name of ['visit', 'VISIT', '../Visit']) await s.owner.do('createStage', s.trial, { name })
  const parts = partsOf(await downloaded(s, recordOf(await madeIn(s)).request))
  const tables = [...parts.keys()].filter((name) => name.startsWith('data/') && name.endsWith('.csv'))
  expect(tables).toEqual(['data/Visit.csv', 'data/visit_2.csv', 'data/VISIT_3.csv', 'data/_Visit.csv'])
  const empty = insertTrial(s.db, s.team, 0)
  const { jobId } = await s.owner.do('exportStudyRecord', empty)
  const result = recordOf(await ended(s.owner, jobId))
  expect(result.counts).toMatchObject({ stages: 0, responses: 0, files: 0 })
  expect([...partsOf(await downloaded(s, result.request)).keys()]).toContain('study.json')
})

test('a study record needs trial.admin; another team’s trial is 404; only its creator sees the job', async () => {
  const s = await study()
  const url = `/trials/${s.trial}/study-record` as const
  for (const words of [['trial.write'], ['trial.write', 'trial.exportData'], ['trial.readLogs']]) {
    expect([words, (await s.staff(s.trial, words).call('POST', url)).status]).toEqual([words, 403])
  }
  expect((await s.neighbours().owner.call('POST', url)).status).toBe(404)
  const admin = s.staff(s.trial, ['trial.admin'])
  const { jobId } = await admin.do('exportStudyRecord', s.trial)
  expect((await ended(admin, jobId)).status).toBe('done')
  expect((await s.owner.call('GET', `/jobs/${jobId}`)).status).toBe(404)
})

proof('a job that a stop interrupted is done at the next start', async () => {
  const directory = temporaryFolder()
  const now = parseInstant('2026-03-02T12:00:00Z')!
  const open = () =>
    openService(program, {
      directory,
      clock: { now: () => now },
      publicUrl: 'http://localhost',
      version: '0.0.0+test',
      storageKey: 'signs the links of a test',
    })
  const before = open()
  const { db } = before.services
  const { team, user } = insertOwner(db, { email: 'o@example.org', name: 'Olga', team: 'A', passwordHash: null, now })
  const { key } = insertApiKey(db, { user, name: 'test', now })
  const trial = insertTrial(db, team, now)
  const asking = async (service: typeof before, method: string, path: string) => {
    const headers = { Authorization: `Bearer ${key}` }
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers by name
    return (await service.handle(new Request(`http://localhost${path}`, { method, headers }), null)).json() as any
  }
  before.services.pool.perform = () => new Promise(() => {})
  const { jobId } = await asking(before, 'POST', `/trials/${trial}/study-record`)
  expect(await asking(before, 'GET', `/jobs/${jobId}`)).toMatchObject({ status: 'pending', result: null })
  before.close()

  const after = open()
  await until(async () => (await asking(after, 'GET', `/jobs/${jobId}`)).status !== 'pending')
  const { status, result } = await asking(after, 'GET', `/jobs/${jobId}`)
  expect([status, result.counts.auditEntries]).toEqual(['done', 1])
  const response = await after.storage(new Request(result.request), { timeout: () => {} })
  expect(partsOf(Buffer.from(await response.arrayBuffer())).size).toBe(24)
  after.close()
  rmSync(directory, { recursive: true })
})

test('a study record is of one moment, and no transaction is open while it is written', async () => {
  const { here, of } = await twoSites()
  const { trial } = of
  const db = drizzleOf(openSqlite(join(here.directory, 'trialbox.db'), { readonly: true }))
  const at = parseInstant(here.now())!
  const access = packAccess({ trial: new Set(['admin', 'exportData', 'readParticipantStudyData']), places: new Map() })
  const { exports, files } = here.service.services.storage
  const write = (file: string, between: () => void, step = 'Writing the responses.') =>
    writeStudyRecord(
      db,
      { trial, access, at, file, dataset: null },
      { exports, files, storageKey: 'a secret of a test' },
      (text) => {
        if (text !== step) return
        expect(db.$client.inTransaction).toBe(false)
        between()
      },
    )
  await write('first', () => {
    here.db.run(`UPDATE participants SET id = 'Renamed' WHERE trial = '${trial}' AND id = 'P-2'`)
    here.db.run(`UPDATE participants SET isArchived = 1 WHERE trial = '${trial}' AND id = 'P-1'`)
  })
  const parts = partsOf(readFileSync(join(exports, 'first')))
  expect(rowsIn(parts, 'data/Visit.csv').map(({ participantId }) => participantId)).toEqual(['P-1', 'P-2'])
  expect(rowsIn(parts, 'participants.csv').map(({ participantId }) => participantId)).toEqual(['P-1', 'P-2'])
  await here.owner.do('createConfigurationVersion', trial)
  const { counts } = await write('second', () => {})
  expect(counts).toMatchObject({ participants: 1, archivedParticipants: 1, responses: 1 })
  // Deleted while the trail is written, and while the responses are.
  for (const step of ['Writing the audit trail.', undefined]) {
    const gone = write('third', () => void here.db.run(`DELETE FROM trials WHERE _id = '${trial}'`), step)
    await expect(gone).rejects.toMatchObject({ status: 404 })
  }
  expect(readdirSync(exports).sort()).toEqual(['first', 'second'])
  db.$client.close()
})
