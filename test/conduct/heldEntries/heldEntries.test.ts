/** Entries that the study refused: the device hands them over, staff decide, nothing is lost and nothing hidden is shown. */
import { describe, expect, test } from 'bun:test'
import { verifyResponses } from '#conduct/responses/verify'
import { DAY, HOUR, instantText, parseInstant } from '#kernel/time'
import { collectStatements, explained } from '../../plan'
import { study } from '../../study'
import { entriesOf } from '../responses/answers'
import { putBytes, uploadRequestUrl } from '../uploads/uploads.study'

/** A participant whose answers came too late, and how they hand them over. */
async function lateEntryStudy() {
  const s = await study({ stage: { availabilityWindowHours: 24 } })
  const me = await s.signIn()
  const start = parseInstant(s.now())!
  s.clock(2 * DAY)
  const at = `/participants/trials/${s.trial}/stages/${s.stage}/responses` as const
  const answers = (codes: Record<string, unknown>) => {
    const createdAt = instantText(start + HOUR)
    return Object.fromEntries(Object.entries(s.sent(codes)).map(([key, each]) => [key, { ...each, createdAt }]))
  }
  const submit = (body: unknown, key = 'e-1') => me.call('POST', at, body, { headers: { 'Idempotency-Key': key } })
  const hold = (response: unknown, entry = 'e-1', more: Record<string, unknown> = {}) =>
    me.call('POST', '/participants/held', { entry, stage: s.stage, response, code: 'closed', ...more })
  const list = `/trials/${s.trial}/heldEntries` as const
  return { ...s, me, submit, hold, answers, list, given: instantText(start + HOUR) }
}

test('each submission looks for an accepted entry in an index alone, and reads no answers there', async () => {
  const s = await lateEntryStudy()
  await s.owner.do('updateStage', s.stage, { availabilityWindowHours: 100 })
  const collector = collectStatements(s.db.$client)
  const { status } = await s.submit(s.answers({ pulse: 60 }))
  const about = collector.end().filter((sql) => sql.includes('heldEntries'))
  expect(status).toBe(200)
  expect(about.map((sql) => explained(s.db.$client, sql).map(({ detail }) => detail))).toEqual([
    ['SEARCH heldEntries USING COVERING INDEX heldEntriesAccepted (participant=? AND entry=?)'],
  ])
})

describe('an entry that was refused', () => {
  test('is held, read by staff, and entered by them with a note', async () => {
    const s = await lateEntryStudy()
    const refused = await s.submit(s.answers({ pulse: 60 }))
    expect(refused.status).toBe(403)
    const { _id } = (await s.hold(s.answers({ pulse: 60 }), 'e-1', { message: refused.body.message })).body
    expect((await s.owner.do('listHeldEntries', s.trial, { status: 'held' })).heldEntries).toMatchObject([
      { _id, participant: s.anna, participantId: 'P-1', entry: 'e-1', stage: s.stage, code: 'closed', status: 'held' },
    ])
    expect(await s.owner.do('readHeldEntry', s.trial, _id)).toMatchObject({
      answers: { [s.ids.pulse!]: { value: 60, createdAt: s.given } },
      hidden: 0,
      message: refused.body.message,
    })
    const entered = await s.owner.do('acceptHeldEntry', s.trial, _id, { updateNote: 'No network on the ward.' })
    expect(entered.response[s.ids.pulse!]).toMatchObject({
      value: 60,
      enteredAt: s.given,
      createdBy: s.owner._id,
      updateNote: 'No network on the ward.',
    })
    expect((await s.me.do('listOwnHeldEntries')).heldEntries).toEqual([
      { _id, entry: 'e-1', stage: s.stage, createdAt: s.now(), status: 'accepted', decidedAt: s.now() },
    ])
    const { event } = entriesOf(s, s.trial).findLast(({ type }) => type === 'submitResponse')!
    expect(JSON.parse(event)).toMatchObject({ heldEntry: _id, entryId: 'e-1', response: entered._id })
    expect(verifyResponses(s.db.$client)).toStartWith('1 responses')
    // It is decided once, and the device cannot store it a second time when the form opens again.
    expect((await s.owner.call('POST', `${s.list}/${_id}/refusal`, { reason: 'No' })).status).toBe(400)
    await s.owner.do('updateStage', s.stage, { availabilityWindowHours: 100 })
    expect((await s.submit(s.answers({ pulse: 61 }))).body.details).toEqual({ code: 'repeatedEntry' })
    expect((await s.submit(s.answers({ pulse: 60 }))).status).toBe(200)
    expect((await s.owner.do('readResponseHistory', s.trial, entered._id)).history).toHaveLength(1)
  })

  test('is refused with a reason, which changes no study data, and stays readable', async () => {
    const s = await lateEntryStudy()
    const { _id } = (await s.hold(s.answers({ pulse: 60 }))).body
    expect((await s.owner.call('POST', `${s.list}/${_id}/refusal`, {})).status).toBe(422)
    const after = await s.owner.do('refuseHeldEntry', s.trial, _id, { reason: 'Entered from paper.' })
    expect(after).toMatchObject({ status: 'refused', reason: 'Entered from paper.', decidedBy: s.owner._id })
    expect((await s.owner.do('readParticipantResponses', s.trial, s.anna)).responses).toEqual([])
    expect((await s.me.do('listOwnHeldEntries')).heldEntries).toMatchObject([{ status: 'refused' }])
    expect(await s.owner.do('readHeldEntry', s.trial, _id)).toMatchObject({
      answers: { [s.ids.pulse!]: { value: 60 } },
    })
    expect((await s.owner.call('POST', `${s.list}/${_id}/acceptance`, { updateNote: 'x' })).status).toBe(400)
  })

  test('is corrected when it is entered, as it is checked like any entry', async () => {
    const s = await lateEntryStudy()
    const { _id } = (await s.hold(s.answers({ pulse: 500, symptom: 'cough' }))).body
    const at = `${s.list}/${_id}/acceptance` as const
    expect((await s.owner.call('POST', at, { updateNote: 'Late' })).body.message).toContain('must be from 30 to 220')
    expect((await s.owner.do('readHeldEntry', s.trial, _id)).status).toBe('held')
    const response = { [s.ids.pulse!]: { value: 50 } }
    const entered = await s.owner.post<'acceptHeldEntry'>(at, { updateNote: 'A slip: 50', response })
    expect(s.values(entered)).toMatchObject({ pulse: 50, symptom: 'cough' })
  })

  test('is held once: the same again is the same, other content is refused, two at once are one', async () => {
    const s = await lateEntryStudy()
    const both = await Promise.all([s.hold(s.answers({ pulse: 60 })), s.hold(s.answers({ pulse: 60 }))])
    expect(both[1]!.body).toEqual(both[0]!.body)
    const other = await s.hold(s.answers({ pulse: 61 }))
    expect([other.status, other.body.details]).toEqual([400, { code: 'otherEntry' }])
    expect((await s.owner.do('listHeldEntries', s.trial)).heldEntries).toHaveLength(1)
  })

  test('is not held if the study has it', async () => {
    const s = await lateEntryStudy()
    await s.owner.do('updateStage', s.stage, { availabilityWindowHours: 100 })
    expect((await s.submit(s.answers({ pulse: 60 }))).status).toBe(200)
    expect((await s.hold(s.answers({ pulse: 60 }))).body.details).toEqual({ code: 'repeatedEntry' })
  })

  test('that was entered does not replace what staff have entered since, also if it changed nothing then', async () => {
    const s = await lateEntryStudy()
    await s.enter({ pulse: 60 })
    const { _id } = (await s.hold(s.answers({ pulse: 60 }))).body
    await s.owner.do('acceptHeldEntry', s.trial, _id, { updateNote: 'As on paper.' })
    await s.enter({ pulse: 70 }, { updateNote: 'Misread' })
    await s.owner.do('updateStage', s.stage, { availabilityWindowHours: 100 })
    expect((await s.submit(s.answers({ pulse: 60 }))).body.details).toEqual({ code: 'repeatedEntry' })
    const { responses } = await s.owner.do('readParticipantResponses', s.trial, s.anna)
    expect(responses.map((each) => s.values(each).pulse)).toEqual([70])
  })

  test('is held if a submission may be as large', async () => {
    const s = await lateEntryStudy()
    const letters = (count: number) => s.answers({ diary: 'x'.repeat(count) })
    const largest = (1 << 20) - JSON.stringify(letters(0)).length
    expect((await s.submit(letters(largest))).status).toBe(403)
    expect((await s.submit(letters(largest + 1), 'e-2')).status).toBe(413)
    const message = 'It came too late.'.repeat(100)
    for (const [entry, more] of [
      ['e-1', 0],
      ['e-2', 1],
    ] as const)
      expect((await s.hold(letters(largest + more), entry, { message })).status).toBe(200)
  })

  test('waits with at most 200 others', async () => {
    const s = await lateEntryStudy()
    const { _id } = (await s.hold(s.answers({ pulse: 60 }))).body
    s.db.$client.run(
      `INSERT INTO heldEntries (_id, createdAt, trial, participant, entry, path, body, status, tellAt)
       SELECT printf('%024x', n.value), createdAt, trial, participant, 'n' || n.value, h.path, body, 'held', tellAt
       FROM heldEntries h, json_each(json_array(${Array.from({ length: 199 }, (_, n) => n + 1).join()})) n WHERE _id = ?`,
      [_id],
    )
    expect((await s.hold(s.answers({ pulse: 60 }), 'more')).body.details).toEqual({
      code: 'tooManyHeld',
      params: { most: 200 },
    })
    await s.owner.do('refuseHeldEntry', s.trial, _id, { reason: 'Sent twice' })
    expect((await s.hold(s.answers({ pulse: 60 }), 'more')).status).toBe(200)
    const page = await s.owner.do('listHeldEntries', s.trial, {
      perPage: 150,
      page: 2,
      status: 'held',
      participant: s.anna,
    })
    expect([page.heldEntries.length, page.nextPageAvailable]).toEqual([50, false])
  })

  test.each([
    ['half an emoji', { entry: '\ud83d' }],
    ['no id', { entry: '' }],
    ['a code that is none', { code: '<b>' }],
    ['answers that are no object', { response: [] }],
    ['a long name of a stage', { stage: 'x'.repeat(51) }],
  ])('is refused with %s', async (_, change) => {
    const s = await lateEntryStudy()
    expect((await s.hold(s.answers({ pulse: 60 }), 'e-1', change)).status).toBe(422)
  })
})

describe('locks and rights', () => {
  test('a locked database does not stop the handing over, but the entering', async () => {
    const s = await lateEntryStudy()
    s.db.$client.run('UPDATE trials SET isDatabaseLocked = 1 WHERE _id = ?', [s.trial])
    const { status, body } = await s.hold(s.answers({ pulse: 60 }))
    expect(status).toBe(200)
    expect((await s.owner.call('POST', `${s.list}/${body._id}/acceptance`, { updateNote: 'x' })).status).toBe(403)
    expect((await s.owner.do('readHeldEntry', s.trial, body._id)).status).toBe('held')
  })

  test('nothing more is held of somebody who has withdrawn', async () => {
    const s = await lateEntryStudy()
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    expect((await s.hold(s.answers({ pulse: 60 }))).body.details).toEqual({ code: 'withdrawn' })
  })

  test('hidden answers are not shown, nor texts that may quote them, and only who sees them all can enter them', async () => {
    const s = await lateEntryStudy()
    await s.owner.do('updateDataType', s.ids.symptom!, { isRestricted: true })
    const message = '“Symptom” must not be cough.'
    const response = { ...s.answers({ pulse: 60, symptom: 'cough' }), nonsense: { value: 'cough' } }
    const { _id } = (await s.hold(response, 'e-1', { message })).body
    const nurse = s.staff(s.trial, ['trial.write'])
    const read = await nurse.do('readHeldEntry', s.trial, _id)
    expect(read).toMatchObject({ answers: { [s.ids.pulse!]: { value: 60 } }, hidden: 2, message: null })
    expect(
      JSON.stringify([read, await nurse.do('listHeldEntries', s.trial), await s.me.do('listOwnHeldEntries')]),
    ).not.toContain('cough')
    expect((await nurse.call('POST', `${s.list}/${_id}/acceptance`, { updateNote: 'x' })).status).toBe(403)
    expect((await nurse.call('POST', `${s.list}/${_id}/refusal`, { reason: 'cough' })).body.reason).toBeNull()
    expect(await s.owner.do('readHeldEntry', s.trial, _id)).toMatchObject({ hidden: 0, message, reason: 'cough' })
  })

  test('only staff who may read the participant’s study data see them', async () => {
    const s = await lateEntryStudy()
    const { _id } = (await s.hold(s.answers({ pulse: 60 }))).body
    const [north, south] = await Promise.all(
      ['North', 'South'].map(async (id) => (await s.owner.do('createSite', s.trial, { name: id, id }))._id),
    )
    await s.owner.do('addSiteMember', north!, s.anna)
    const of = (site: string, word: 'site.write' | 'site.readParticipants') => s.staff(s.trial, [word], site)
    const seen = async (person: typeof s.owner) => {
      const { status, body } = await person.call('GET', s.list)
      const one = (await person.call('GET', `${s.list}/${_id}`)).status
      return [status === 200 ? body.heldEntries.length : status, one]
    }
    expect(await seen(of(north!, 'site.write'))).toEqual([1, 200])
    expect(await seen(of(south!, 'site.write'))).toEqual([0, 404])
    expect(await seen(of(north!, 'site.readParticipants'))).toEqual([403, 403])
    const bert = await s.signIn('P-2')
    expect((await bert.do('listOwnHeldEntries')).heldEntries).toEqual([])
    expect((await bert.call('POST', '/participants/held', { entry: 'e-1', stage: s.stage, response: {} })).status).toBe(
      200,
    )
    expect((await s.nobody.call('POST', '/participants/held', {})).status).toBe(401)
  })

  test('is read in from a copy that the participant saved, once, and entered with its file', async () => {
    const s = await lateEntryStudy()
    const photo = s.ids.photo!
    const taken = {
      value: { name: 'rash.png', type: 'image/png', size: 3, file: 'files/1 rash.png' },
      createdAt: s.given,
    }
    const copy = {
      ...{ format: 'trialbox-entry', version: 2, trial: s.trial, participant: s.anna, entry: 'e-7', stage: s.stage },
      ...{ title: 'Visit', madeAt: s.given, code: null, message: null },
      response: { ...s.answers({ pulse: 60 }), [photo]: taken },
    } as const
    const at = `/trials/${s.trial}/participants/${s.anna}/heldEntries` as const
    const nurse = s.staff(s.trial, ['trial.write'])
    const held = await nurse.do('readInSavedCopy', s.trial, s.anna, copy)
    expect(held).toMatchObject({ status: 'held', entry: 'e-7', broughtBy: nurse._id, hidden: 0, response: null })
    expect((await nurse.do('readInSavedCopy', s.trial, s.anna, copy))._id).toBe(held._id)
    const others = [
      [{ ...copy, response: s.answers({ pulse: 61 }) }, 'The study team has another entry with this id already.'],
      [{ ...copy, participant: s.bert }, 'This copy is of another participant.'],
      [{ ...copy, trial: s.anna }, 'This copy is of another participant.'],
    ] as const
    for (const [body, message] of others) expect((await nurse.call('POST', at, body)).body.message).toBe(message)
    for (const change of [{ version: 1 }, { format: 'x' }, { response: 5 }, { entry: '' }, { more: 1 }])
      expect((await nurse.call('POST', at, { ...copy, ...change })).status).toBe(422)
    const reader = s.staff(s.trial, ['trial.read'])
    expect((await reader.call('POST', at, copy)).status).toBe(403)
    // The name in the archive is no file: it is uploaded first.
    const acceptance = `${s.list}/${held._id}/acceptance` as const
    expect((await nurse.call('POST', acceptance, { updateNote: 'From a copy.' })).status).toBe(422)
    const { signedRequestURL, fileName } = await nurse.get(
      uploadRequestUrl('participant', s.anna, { type: 'image/png' }),
    )
    expect((await putBytes(s, signedRequestURL, undefined, 'image/png')).status).toBe(200)
    const response = { [photo]: { value: { fileName, name: 'rash.png' } } }
    const entered = await nurse.post<'acceptHeldEntry'>(acceptance, { updateNote: 'From a copy.', response })
    expect(entered.response[s.ids.pulse!]).toMatchObject({ value: 60, enteredAt: s.given })
    expect(entered.response[photo]?.value).toMatchObject({ name: 'rash.png' })
    expect((await nurse.call('POST', at, { ...copy, entry: 'e-7' })).body).toMatchObject({ status: 'accepted' })
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    expect((await nurse.call('POST', at, { ...copy, entry: 'e-8' })).status).toBe(400)
  })

  test('an erasure empties it, and the database keeps it as it was sent', async () => {
    const s = await lateEntryStudy()
    const { _id } = (await s.hold(s.answers({ diary: 'I am Anna.' }), 'e-1', { message: 'Anna' })).body
    for (const change of ["body = '{}'", "entry = 'x'", "path = 'x'"])
      expect(() => s.db.$client.run(`UPDATE heldEntries SET ${change}`)).toThrow('kept as they were sent')
    expect(() => s.db.$client.run('DELETE FROM heldEntries')).toThrow('kept as they were sent')
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, { reason: 'asked by letter' })
    expect(await s.owner.do('readHeldEntry', s.trial, _id)).toMatchObject({
      answers: {},
      message: null,
      status: 'held',
    })
    const accepted = await s.owner.call('POST', `${s.list}/${_id}/acceptance`, { updateNote: 'x' })
    expect(accepted.body.message).toBe('This entry holds no answers: refuse it.')
    expect((await s.owner.call('POST', `${s.list}/${_id}/refusal`, { reason: 'Erased' })).status).toBe(200)
  })
})
