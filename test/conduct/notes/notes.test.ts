/** Notes of staff about a participant. */
import { expect, test } from 'bun:test'
import { insert, rowById } from '#db/rows'
import { notes } from '#db/tables/index'
import { newId } from '#kernel/id'
import { calendarStudy } from '../appointments/appointments.study'

test('a note is written, changed, listed newest first, and deleted', async () => {
  const s = await calendarStudy()
  const { owner, anna, of, trial, staff } = s
  const all = `${of(anna)}/notes` as const
  const first = await owner.do('createNote', trial, anna, { note: 'Prefers mornings.', inRelationToDate: '2026-03-01' })
  expect(first).toMatchObject({ participant: anna, createdBy: owner._id, inRelationToDate: '2026-03-01' })
  const second = await owner.do('createNote', trial, anna, { note: 'Called back.' })
  expect(second.inRelationToDate).toBeNull()
  const changed = await owner.do('updateNote', trial, anna, first._id, { inRelationToDate: null })
  expect(changed).toMatchObject({ note: 'Prefers mornings.', inRelationToDate: null })
  const reader = staff(trial, ['trial.readParticipants', 'trial.readParticipantNotes'])
  const { notes, nextPageAvailable } = await reader.do('listNotes', trial, anna)
  expect([notes.map(({ _id }) => _id), nextPageAvailable]).toEqual([[second._id, first._id], false])
  expect((await reader.call('POST', all, { note: 'No.' })).status).toBe(403)
  await owner.do('deleteNote', trial, anna, first._id)
  expect((await owner.do('listNotes', trial, anna)).notes).toEqual([second])
  expect((await owner.call('PUT', `${all}/${first._id}`, { note: 'Gone?' })).status).toBe(404)
})

test('pages of 500 notes', async () => {
  const { owner, anna, db, trial } = await calendarStudy()
  const row = rowById(db, notes, (await owner.do('createNote', trial, anna, { note: 'First' }))._id)!
  for (let n = 2; n <= 1001; n++) insert(db, notes, { ...row, _id: newId(row.createdAt), note: `Note ${n}` })
  const pages = await Promise.all([1, 2, 3, 4].map((page) => owner.do('listNotes', trial, anna, { page })))
  expect(pages.map((page) => [page.notes.length, page.page, page.nextPageAvailable])).toEqual([
    [500, 1, true],
    [500, 2, true],
    [1, 3, false],
    [0, 4, false],
  ])
  expect([pages[0]!.notes[0]!.note, pages[2]!.notes[0]!.note]).toEqual(['Note 1001', 'First'])
})

test('a note has 1 to 2000 characters and a real day', async () => {
  const { owner, anna, of } = await calendarStudy()
  const all = `${of(anna)}/notes` as const
  for (const body of [
    {},
    { note: '' },
    { note: '  ' },
    { note: 'x'.repeat(2001) },
    { note: 'x', inRelationToDate: '2026-02-30' },
  ])
    expect((await owner.call('POST', all, body)).status).toBe(422)
  expect((await owner.call('POST', all, { note: 'x'.repeat(2000) })).status).toBe(200)
})

test('who sees the participant but no notes may not read them; at another site, there is no such participant', async () => {
  const { owner, anna, of, trial, staff, coordinator, south } = await calendarStudy()
  const all = `${of(anna)}/notes` as const
  const { _id } = await owner.do('createNote', trial, anna, { note: 'Prefers mornings.' })
  expect((await staff(trial, ['trial.readParticipants']).call('GET', all)).status).toBe(403)
  const elsewhere = coordinator(south)
  for (const [method, url] of [
    ['GET', all],
    ['POST', all],
    ['PUT', `${all}/${_id}`],
    ['DELETE', `${all}/${_id}`],
  ] as const)
    expect((await elsewhere.call(method, url, method.startsWith('P') ? { note: 'x' } : undefined)).status).toBe(404)
  expect((await coordinator().do('listNotes', trial, anna)).notes).toHaveLength(1)
})

test('a note of another participant is not at this path', async () => {
  const { owner, anna, bert, of, trial } = await calendarStudy()
  const { _id } = await owner.do('createNote', trial, anna, { note: 'Prefers mornings.' })
  expect((await owner.call('PUT', `${of(bert)}/notes/${_id}`, { note: 'x' })).status).toBe(404)
})

test('the audit trail shows the text of a note only to those who see personal information', async () => {
  const { owner, anna, trial, staff, logged } = await calendarStudy()
  const { _id } = await owner.do('createNote', trial, anna, { note: 'Her sister is called Eve.' })
  await owner.do('updateNote', trial, anna, _id, { note: 'Her sister is called Ada.' })
  expect(await logged('updateNote')).toMatchObject({
    noteId: _id,
    personal: { before: { note: 'Her sister is called Eve.' }, after: { note: 'Her sister is called Ada.' } },
  })
  const auditor = staff(trial, ['trial.readLogs', 'trial.readParticipants'])
  expect(JSON.stringify(await auditor.do('readLogs', trial))).not.toContain('sister')
})

test('a locked database does not refuse notes', async () => {
  const { owner, anna, trial, db } = await calendarStudy()
  db.$client.run('UPDATE trials SET isDatabaseLocked = 1 WHERE _id = ?', [trial])
  await owner.do('createNote', trial, anna, { note: 'Still possible.' })
})
