/** Notes that say why an answer was changed, sent with the answer itself. */
import { expect, test } from 'bun:test'
import { study } from '../../study'

test('an amendment may have its note with the answers, where a read shows it; a note that is sent back as it was read is none', async () => {
  const s = await study({ trial: { signOffNoteRequired: true } })
  const { enter, owner, url, ids, trial } = s
  const answer = (code: string, value: unknown, updateNote: unknown) => ({ [ids[code]!]: { value, updateNote } })
  const amend = (response: object, more = {}) => owner.call('PUT', url(), { response, ...more })
  const { _id } = (await enter({ pulse: 60, glucose: 5 })).body
  const first = await amend(answer('pulse', 61, 'misread'))
  expect([first.status, first.body.response[ids.pulse!].updateNote]).toEqual([200, 'misread'])
  expect((await amend({ [ids.pulse!]: { ...first.body.response[ids.pulse!], value: 62 } })).status).toBe(400)
  expect((await amend(answer('pulse', 62, 'misread'))).status).toBe(400)
  // The note of an answer that does not change says nothing about the change.
  expect((await amend({ ...answer('pulse', 61, 'again'), ...answer('glucose', 6, ' ') })).status).toBe(400)
  expect((await amend({ ...answer('pulse', 63, 'misread again'), ...answer('glucose', 6, 'late') })).status).toBe(200)
  expect((await amend(answer('pulse', 64, 'typed here'), { updateNote: 'The other wins.' })).status).toBe(200)
  expect((await amend(answer('pulse', 65, 5))).status).toBe(422)
  const { history } = await owner.do('readResponseHistory', trial, _id)
  expect(history.map(({ updateNote }) => updateNote)).toEqual([
    undefined,
    'misread',
    'misread again; late',
    'The other wins.',
  ])
})

test('whether a note was written before does not show to who may not read it', async () => {
  const { owner, enter, sent, staff, ids, trial, url } = await study({ trial: { signOffNoteRequired: true } })
  const blind = staff(trial, ['trial.write'])
  await owner.do('updateDataType', ids.symptom, { isRestricted: true })
  await enter({ symptom: 'Mallowfern', pulse: 62 }, { updateNote: 'arm B' })
  for (const updateNote of ['arm A', 'arm B']) {
    await enter({ symptom: 'Quokkaflower', pulse: 62 }, { updateNote: 'arm B' })
    const response = { [ids.pulse!]: { value: updateNote === 'arm A' ? 63 : 64, updateNote } }
    const { status, body } = await blind.call('PUT', url(), { response })
    expect([status, body.response?.[ids.pulse!]?.updateNote]).toEqual([200, updateNote])
    await enter({ symptom: 'Mallowfern', pulse: 62 }, { updateNote: 'arm B' })
  }
  // Of a field that they may not read, too.
  expect((await blind.call('PUT', url(), { response: sent({ symptom: 'x' }) })).status).toBe(400)
  const hidden = { [ids.symptom!]: { value: 'Mallowfern', updateNote: 'arm B' } }
  expect((await blind.call('PUT', url(), { response: hidden })).status).toBe(200)
})
