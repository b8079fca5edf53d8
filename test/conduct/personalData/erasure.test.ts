import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packIds } from '#audit/packedIds'
import { appendReads } from '#audit/reads'
import { problemsIn } from '#cli/checks'
import { saveScreeningResponse, screeningToken } from '#conduct/consents/screeningStore'
import { insertReminder } from '#conduct/wearables/reminderStore'
import { saveRecords } from '#conduct/wearables/saveRecords'
import { putConnection, putSignIn } from '#conduct/wearables/store'
import type { Db } from '#db/open'
import { personalTables } from '#db/personal'
import { uploadPath } from '#storage/names'
import { PASSWORD } from '../../harness'
import { dispenseTo } from '../../office/dispensations/requests'
import { firstOf } from '../../present'
import { keepDeleted } from '../../purge'
import { study } from '../../study'
import { until } from '../../until'
import { addConsent } from '../consents/consentRows'
import { person, personal } from './person'

const reason = { reason: 'asked us by letter' }

/** An account of Fitbit, a sign-in there, a reminder and a day. */
function addWearables(db: Db, of: { trial: string; participant: string }) {
  const { participant } = of
  const account = { ...of, service: 'fitbit', status: 'connected', connectedAt: 1 } as const
  putConnection(db, account)
  putSignIn(db, { participant, service: 'dexcom', secret: 'sealed', expiresAt: 1 })
  insertReminder(db, participant, 'garmin', 1)
  const day = { dataset: 'daily', key: '2026-02-01', day: '2026-02-01', measured: { steps: 1 } } as const
  saveRecords(db, { ...of, service: 'fitbit', source: 'import', now: 1 }, [day])
}

/** Reads of lists that named these participants, until a block of the trail is full: then its index names them too. */
function fillBlockOfReads(db: Db, trial: string, participants: string[]) {
  const who = { user: null, userEmail: null, apiToken: null, address: null }
  const read = {
    trial,
    createdAt: 1,
    operation: 'listParticipants',
    ...who,
    about: { participants: packIds(participants) },
  }
  appendReads(
    db,
    Array.from({ length: 1001 }, () => read),
  )
}

describe('an erasure', () => {
  test('leaves nothing personal in any table, and keeps the study data', async () => {
    const s = await person()
    keepDeleted(s)
    const { owner, own, ids, files, trial, db, anna } = s
    const packType = (await owner.do('createPackType', trial, { name: 'Tablets' }))._id
    const { packs } = await owner.do('createPacks', trial, { packType, name: 'K-1' })
    await owner.do('assignPack', trial, anna, firstOf(packs)._id)
    const arms = [{ name: 'Treatment one' }, { name: 'Treatment two' }]
    const { _id: randomisation } = await owner.do('createRandomisation', trial, {
      name: 'By chance',
      method: 'simple',
      arms,
    })
    await owner.do('sealRandomisation', randomisation)
    const given = await owner.do('allocateParticipant', randomisation, { participant: s.anna })
    const app = await s.signInStaff(owner)
    await app.do('confirmIdentity', { password: PASSWORD })
    const card = { brand: 'shop', brandName: 'Shop', currency: 'EUR' }
    const { _id: brand } = await owner.do('createIncentiveBrand', trial, card)
    await owner.do('loadVoucherCodes', brand, { content: 'code,amount\nA-1,5\nA-2,5' })
    await app.do('topUpWallet', trial, { amount: 100, currency: 'EUR' })
    const components = [{ id: 'a', dataType: ids.pulse, title: 'Pulse' }]
    const paid = await owner.do('createStage', trial, { name: 'Paid visit', components })
    await owner.do('createIncentiveRule', trial, { stage: paid._id, brand: 'shop', amount: 5 })
    await s.enter({ pulse: 60 }, {}, owner, s.url(s.anna, paid._id))
    await s.service.services.tick()
    const emergency = { participantId: 'P-1', reason: 'An emergency.' }
    await app.do('updateTrial', trial, { secondPerson: ['erasure'] })
    await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
    await owner.do('erasePersonalInformation', trial, anna, reason)
    db.$client.run(`UPDATE trials SET settings = json_remove(settings, '$.secondPerson')`)
    await owner.do('updateParticipant', trial, anna, { isWithdrawn: false })
    await app.do('unblindParticipant', randomisation, given._id, emergency)
    const settings = { isPoll: true, pollSettings: { verifyEmail: true } }
    const poll = await owner.do('createStage', trial, { name: 'Poll', components, ...settings })
    const { code } = await owner.do('readTrial', trial)
    const entry = { entry: 'somebody-in-the-hall', method: 'email' } as const
    const email = 'quux.poll@example.org'
    await s.nobody.do('sendPollCode', code, poll._id, { ...entry, address: email })
    const { codes } = await app.do('listPollCodes', trial)
    await s.nobody.do('checkPollCode', code, poll._id, { ...entry, code: firstOf(codes).code ?? '' })
    const said = { entry: entry.entry, email, response: { [ids.pulse!]: { value: 60 } } }
    await s.nobody.do('submitPoll', code, poll._id, said)
    const came = await owner.do('listPollAnswers', trial, poll._id)
    const { response } = firstOf(came.answers)
    await owner.do('allocateResponse', trial, response, {}, { participant: s.anna })
    await s.service.services.commit(() => addWearables(db, { trial, participant: s.anna }))
    const { _id: form } = await owner.do('createConsentForm', trial, { document: '<p>Information.</p>' })
    const signed = { trial, form, participant: s.anna, at: 1, fullName: 'Ann Quux', email: 'quux@example.org' }
    await s.service.services.commit(() => {
      const { consent } = addConsent(db, signed)
      screeningToken(db, s.service.services.seal, { _id: consent, trial }, poll._id, 1)
      saveScreeningResponse(db, trial, consent, response)
    })
    await dispenseTo(s, s.anna)
    await owner.do('listNotes', trial, s.anna)
    await s.service.services.reads.flush()
    await s.service.services.commit(() => fillBlockOfReads(db, trial, [s.anna, 'f'.repeat(24)]))
    expect(s.tablesAbout(s.anna).toSorted()).toEqual(
      Object.keys(personalTables)
        .filter((table) => !['keptFiles', 'deletedRows'].includes(table))
        .toSorted(),
    )
    const before = s.everything()
    for (const word of Object.values(personal)) expect(before).toContain(word)
    expect(problemsIn(db.$client)).toEqual([])
    const exported = async () =>
      (await owner.do('readParticipantResponses', trial, s.anna)).responses.map(({ _id, response, score }) => ({
        ...{ _id, score, pulse: response[ids.pulse!]?.value, photo: response[ids.photo!]?.value },
      }))
    const kept = await exported()

    await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
    expect(await owner.do('erasePersonalInformation', trial, anna, reason)).toEqual({ erasedAt: s.now() })
    expect(await owner.do('readParticipant', trial, anna)).toMatchObject({
      ...{ id: 'P-1', name: null, dob: null, email: null, phone: null, whatsapp: null, erasedAt: s.now() },
      ...{ passwordSet: false, emailAvailable: false, isWithdrawn: true, timezone: 'Europe/Berlin' },
    })

    const after = s.everything()
    // Not the digits alone: a random id may hold them.
    expect(after).not.toMatch(/quux|1971-04-23|7700 ?900123|7700 ?900456|203\.0\.113\.77/i)
    expect(await exported()).toEqual(kept)
    expect(kept).toContainEqual(expect.objectContaining({ _id: own, pulse: 72, photo: files.photo }))
    const { responses } = await owner.do('readResponse', trial, own)
    expect(responses[0]!.response[ids.symptom!]).toBeUndefined()
    expect(problemsIn(db.$client)).toEqual([])
    const deleted = Object.entries(personalTables).flatMap(([table, each]) => (each.deleted ? [table] : []))
    for (const table of ['grants', 'stageTokens', 'calendarLinks', 'notificationQueue'])
      expect(deleted).toContain(table)
    for (const table of deleted) expect(s.tablesAbout(s.anna)).not.toContain(table)
    expect((await s.participantApp.call('GET', '/participants/me')).status).toBe(401)
    // Queries about other fields, and the file of an answer that is no personal one, stay.
    expect(after).toContain('Pulse at rest?')
    const path = (file: { fileName: string }) => uploadPath(join(s.directory, 'files'), file.fileName)
    await until(() => !existsSync(path(files.letter!)))
    expect(existsSync(path(files.photo!))).toBe(true)
  })

  test('is proven by the audit trail, which shows counts and reason but no digests', async () => {
    const s = await person()
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'erasePersonalInformation' })
    expect(entries).toMatchObject([{ type: 'erasePersonalInformation', participantId: 'P-1' }])
    const { erased, ...event } = entries[0]!.event
    expect(event).toEqual({ trialId: s.trial, participantId: s.anna, ...reason })
    expect(erased).toMatchObject({ participants: 1, submissions: 3, queryMessages: 1, grants: 1, drafts: 1, files: 1 })
    const changed = await s.owner.do('readLogs', s.trial, { type: 'updateParticipant' })
    expect(JSON.stringify(changed)).not.toContain('personal')
    const { events } = await s.owner.do('readResponseHistory', s.trial, s.own)
    expect(events.map(({ type }) => type)).toContain('cleared')
    const { signatures } = await s.owner.do('readSignatures', s.trial, s.anna)
    expect(signatures.map(({ valid }) => valid)).toEqual([false])
  })

  test.each([
    [
      'an answer that it erased',
      `UPDATE storedSubmissions SET "values" = json_replace("values", '$[0]', 'forged') WHERE address IS NULL`,
    ],
    [
      'an answer that it kept',
      `UPDATE storedSubmissions SET "values" = json_replace("values", '$[2]', 99) WHERE device IS NULL`,
    ],
    [
      'an ignored answer',
      `UPDATE responseEvents SET content = replace(content, 'null', '"forged"') WHERE type = 'ignored'`,
    ],
    ['the day of the erasure', 'UPDATE participants SET erasedAt = 5'],
    ['a note', `UPDATE notes SET note = 'forged'`],
    ['an appointment', `UPDATE appointments SET title = 'forged' WHERE isMeeting`],
  ])('does not hide a change of %s from verify', async (_, sql) => {
    const s = await person()
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
    expect(problemsIn(s.db.$client)).toEqual([])
    const other = new Database(join(s.directory, 'trialbox.db')) // what this program writes itself, the trail vouches for
    expect(other.run(sql).changes).toBeGreaterThan(0)
    other.close()
    expect(problemsIn(s.db.$client).length).toBeGreaterThan(0)
  })

  test('of one participant touches nobody else, and history of others stays append-only', async () => {
    const s = await person()
    await s.enter({ pulse: 61, symptom: 'fever' }, {}, s.owner, s.url(s.bert))
    await s.owner.do('updateParticipant', s.trial, s.bert, { name: 'Bert' })
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
    expect(await s.owner.do('readParticipant', s.trial, s.bert)).toMatchObject({
      name: 'Bert',
      erasedAt: null,
    })
    expect(s.everything()).toContain('fever')
    const refused = (sql: string) => expect(() => s.db.$client.run(sql)).toThrow(/append-only|not changed/)
    refused(`UPDATE storedSubmissions SET "values" = '[]' WHERE participant = '${s.bert}'`)
    refused(`UPDATE storedSubmissions SET device = NULL WHERE participant = '${s.bert}'`)
    refused(`UPDATE storedSubmissions SET score = 1 WHERE participant = '${s.anna}'`)
    refused(`UPDATE responseEvents SET type = 'moved' WHERE participant = '${s.anna}'`)
    refused('UPDATE queryMessages SET user = NULL')
    refused(`UPDATE auditEntries SET personal = '{}'`)
  })

  test('can be repeated, and erases what was entered since', async () => {
    const s = await person()
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
    await s.enter({ symptom: 'again Quuxlind', pulse: 80 })
    await s.owner.do('updateParticipant', s.trial, s.anna, { name: 'Anna Quuxlind' })
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, { reason: 'once more' })
    expect(s.everything()).not.toContain('Quux')
    expect(problemsIn(s.db.$client)).toEqual([])
  })

  test('erases answers that were moved to the participant from somebody else', async () => {
    const s = await person()
    const { body } = await s.enter({ symptom: 'moved Quuxlind', pulse: 80 }, {}, s.owner, s.url(s.bert))
    await s.owner.do('detachResponse', s.trial, body._id)
    await s.owner.do('allocateResponse', s.trial, body._id, {}, { participant: s.anna })
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
    expect(s.everything()).not.toContain('Quux')
    expect(problemsIn(s.db.$client)).toEqual([])
  })

  test('stops messages that wait to be sent', async () => {
    const s = await person()
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, reason)
    const rows = s.db.$client
      .query('SELECT DISTINCT status, recipient, body, dueAt FROM outbox WHERE participant = ?')
      .all(s.anna)
    expect(rows).toEqual([{ status: 'expired', recipient: '', body: '', dueAt: null }])
  })
})

describe('it is refused', () => {
  test('for a participant who has not withdrawn (400), without a reason (422), with a locked database (403)', async () => {
    const { owner, trial, anna, db } = await study()
    const at = `/trials/${trial}/participants/${anna}` as const
    const notYet = await owner.call('POST', `${at}/erasure`, reason)
    expect([notYet.status, notYet.body.message]).toEqual([
      400,
      'Only the personal information of participants who have withdrawn is erased. Withdraw them first.',
    ])
    await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
    expect((await owner.call('POST', `${at}/erasure`, { reason: ' ' })).status).toBe(422)
    db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
    expect((await owner.call('POST', `${at}/erasure`, reason)).status).toBe(403)
    expect((await owner.do('readParticipant', trial, anna)).erasedAt).toBeNull()
  })

  test('without trial.admin, on the trial or on a site of the participant; elsewhere nobody learns that they exist', async () => {
    const { owner, trial, anna, staff } = await study()
    const at = `/trials/${trial}/participants/${anna}` as const
    const [north, south] = await Promise.all(
      ['North', 'South'].map((name) => owner.do('createSite', trial, { name, id: name })),
    )
    await owner.do('addSiteMember', north!._id, anna)
    await owner.do('updateParticipant', trial, anna, { isWithdrawn: true })
    const writer = staff(trial, ['trial.write', 'trial.deleteParticipants', 'trial.exportData'])
    const elsewhere = staff(trial, ['trial.admin'], south!._id)
    const here = staff(trial, ['trial.admin'], north!._id)
    for (const path of [`${at}/erasure`, `${at}/report`] as const) {
      const body = path.endsWith('erasure') ? reason : {}
      expect((await writer.call('POST', path, body)).status).toBe(403)
      expect((await elsewhere.call('POST', path, body)).status).toBe(404)
      expect((await here.call('POST', path, body)).status).toBe(200)
    }
  })
})
