/** Reading uploaded answers: readers who may see the answer get a link to the file. */
import { expect, test } from 'bun:test'
import { HOUR } from '#kernel/time'
import type { Person } from '../../harness'
import { firstOf, present, take } from '../../present'
import { study } from '../../study'

const PDF = 'application/pdf'

type Entry = { value: unknown; url?: string; dataType?: string }

/** A study in which the first participant has answered with an uploaded letter and their pulse. */
async function letterStudy(options: Parameters<typeof study>[0] = {}) {
  const s = await study(options)
  const { owner, trial, anna, stage, ids } = s
  async function upload(bytes: string, participant = anna, by: Person = owner) {
    const size = `${bytes.length}`
    const request = { name: 'Scan 1.pdf', size, type: PDF, forType: 'participant', forId: participant }
    const { signedRequestURL, fileName } = await by.get<'requestFileUpload'>(
      `/uploads/file/request?${new URLSearchParams(request)}`,
    )
    const headers = { 'Content-Type': PDF, 'Content-Length': size }
    expect((await s.fetch(signedRequestURL, { method: 'PUT', body: bytes, headers })).status).toBe(200)
    return { fileName, name: 'Scan 1.pdf' } as { fileName: string; name: string }
  }
  const letter = await upload('the letter')
  const entered = await s.enter({ letter, pulse: 60 })
  expect(entered.status).toBe(200)
  const response: string = entered.body._id
  const one = `/trials/${trial}/responses/${response}` as const
  /** The letter as this person reads it, by every operation that shows it. */
  const read = async (by: Person = owner) => {
    const entriesIn = ({ responses }: { responses: { response: Record<string, Entry> }[] }) =>
      responses.map(({ response }) => response[ids.letter!]!)
    const { history } = await by.do('readResponseHistory', trial, response)
    return [
      ...entriesIn(await by.do('readParticipantResponses', trial, anna)),
      ...entriesIn(await by.do('readStageResponses', trial, stage)),
      ...entriesIn(await by.do('readResponse', trial, response)),
      ...(history as { changes: Entry[] }[]).flatMap(({ changes }) =>
        changes.filter(({ dataType }) => dataType === ids.letter),
      ),
    ]
  }
  const bytesOf = async (url: string | undefined) => {
    const answer = await s.fetch(url!)
    return [answer.status, answer.status === 200 ? await answer.text() : '']
  }
  return { ...s, upload, letter, entered: entered.body, response, one, read, bytesOf }
}

test('every operation that shows a response to staff gives a link to the file, valid for an hour', async () => {
  const s = await letterStudy()
  const answered = s.entered.response[s.ids.letter!]
  expect(s.entered.response[s.ids.pulse!].url).toBeUndefined()
  const status = await s.owner.put<'setResponseStatus'>(`${s.one}/status`, { status: 'successful' })
  const entries = [answered, status.response[s.ids.letter!], ...(await s.read())]
  expect(entries).toHaveLength(6)
  for (const { value, url } of entries) {
    expect(value).toEqual(s.letter)
    expect(await s.bytesOf(url)).toEqual([200, 'the letter'])
  }
  const { headers } = await s.fetch(answered.url)
  expect(headers.get('content-disposition')).toContain('Scan 1.pdf')
  s.clock(HOUR - 1)
  for (const { url } of entries) expect(await s.bytesOf(url)).toEqual([200, 'the letter'])
  s.clock(1)
  for (const { url } of entries) expect(await s.bytesOf(url)).toEqual([403, ''])
  for (const { url } of await s.read()) expect(await s.bytesOf(url)).toEqual([200, 'the letter'])
})

test('the history has a link to each file, replaced ones too', async () => {
  const s = await letterStudy()
  const second = await s.upload('another letter')
  await s.enter({ letter: second })
  await s.enter({ letter: null })
  const { history } = await s.owner.get<'readResponseHistory'>(`${s.one}/history`)
  const [first, next, none] = take(
    3,
    history.map(({ changes }) => present(changes.find(({ dataType }) => dataType === s.ids.letter))),
  )
  expect(await s.bytesOf(first.url)).toEqual([200, 'the letter'])
  expect(await s.bytesOf(next.url)).toEqual([200, 'another letter'])
  expect([none.value, none.url]).toEqual([null, undefined])
})

test('an answer with a link can be sent back, and changes nothing', async () => {
  const s = await letterStudy()
  const { response } = firstOf((await s.owner.get<'readResponse'>(s.one)).responses)
  expect(present(response[s.ids.letter!]).url).toBeString()
  expect((await s.owner.call('PUT', s.url(), { response })).status).toBe(200)
  const me = await s.signIn()
  const own = `/participants/trials/${s.trial}/stages/${s.stage}/responses`
  expect((await me.call('POST', own, response)).status).toBe(200)
  expect((await s.owner.get<'readResponseHistory'>(`${s.one}/history`)).history).toHaveLength(1)
})

test('a hidden field gives no link, and no other field gives a link to its file', async () => {
  const s = await letterStudy()
  const { owner, trial, ids } = s
  await owner.do('updateDataType', ids.letter, { isRestricted: true })
  const words = ['trial.write', 'trial.readParticipantStudyData', 'trial.readLogs', 'trial.exportData']
  const blind = s.staff(trial, words)
  expect((await s.read(blind)).filter(Boolean)).toEqual([])
  const sighted = s.staff(trial, [...words, 'trial.readParticipantStudyDataRestricted'])
  expect((await s.read(sighted)).map(({ url }) => typeof url)).toEqual(Array(4).fill('string'))
  const amended = await s.enter({ pulse: 61 }, {}, blind)
  expect(JSON.stringify(amended.body)).not.toContain(s.letter.fileName)
  for (const type of ['user', 'system']) {
    const { entries } = await blind.do('readLogs', trial, { userType: type })
    expect(entries.map(({ type }) => type)).toContain(type === 'user' ? 'requestUpload' : 'finishUpload')
    expect(JSON.stringify(entries)).not.toContain(s.letter.fileName)
  }
})

test('another team gets no link, and no link leads to the file of another team', async () => {
  const s = await letterStudy()
  const others = s.neighbours()
  expect((await others.owner.call('GET', s.one)).status).toBe(404)
  const { url } = (await s.read())[0]!
  const foreign = await study({ world: { ...s, ...others } as never })
  const request = { name: 'a.pdf', size: '5', type: PDF, forType: 'participant', forId: foreign.anna }
  const { signedRequestURL, fileName } = await others.owner.get<'requestFileUpload'>(
    `/uploads/file/request?${new URLSearchParams(request)}`,
  )
  const headers = { 'Content-Type': PDF, 'Content-Length': '5' }
  await s.fetch(signedRequestURL, { method: 'PUT', body: 'other', headers })
  expect(await s.bytesOf(url!.replace(s.letter.fileName, fileName))).toEqual([403, ''])
  s.db.$client.run('DROP TRIGGER storedSubmissionsAreOnlyErased')
  for (const storedName of [fileName, (await s.upload('bert', s.bert)).fileName, 'gone.pdf']) {
    s.db.$client
      .query(`UPDATE storedSubmissions SET "values" = json_replace("values", '$[' || ? || '].fileName', ?)`)
      .run(
        s.components.findIndex(({ id }) => id === 'letter'),
        storedName,
      )
    const entry = firstOf((await s.owner.get<'readResponse'>(s.one)).responses).response[s.ids.letter!]
    expect(entry).toMatchObject({ value: { fileName: storedName } })
    expect(entry).not.toHaveProperty('url')
  }
})

test('an answer of another format that looks like a file gives no link', async () => {
  const s = await letterStudy()
  const scale = [{ value: s.letter.fileName, label: 'Well' }]
  const statements = [{ key: 'fileName', label: 'How are you?' }]
  const likert = { name: 'Odd', code: 'odd', format: 'likert', scale, statements }
  const { _id } = await s.owner.do('createDataType', s.trial, likert)
  const components = [...s.components, { id: 'odd', title: 'Odd', dataType: _id }]
  await s.owner.do('updateStage', s.stage, { components })
  const { status, body } = await s.enter({ [_id]: { fileName: s.letter.fileName } })
  expect([status, body.response[_id].value, body.response[_id].url]).toEqual([
    200,
    { fileName: s.letter.fileName },
    undefined,
  ])
})

test('exports hold no links, nor do the participant’s receipt and look-back', async () => {
  const s = await letterStudy({ trial: { enableLookback: true } })
  const text = async (url: string) => JSON.stringify(await s.owner.get(url))
  for (const type of ['json', 'raw', 'csv']) {
    const content = await text(`/trials/${s.trial}/responses?type=${type}`)
    expect(content).toContain(s.letter.fileName)
    expect(content).not.toContain('/storage/')
  }
  expect(await text(`/trials/${s.trial}/stages/${s.stage}/responses?type=csv`)).not.toContain('/storage/')
  const me = await s.signIn()
  const letter = await s.upload('mine')
  const sent = s.sent({ letter })
  const receipt = await me.do('submitResponse', s.trial, s.stage, sent)
  expect(present(receipt.response[s.ids.letter!]).value).toEqual(letter)
  const stage = await me.do('openStage', s.trial, s.stage)
  expect(JSON.stringify(stage)).toContain(letter.fileName)
  expect(JSON.stringify([receipt, stage])).not.toContain('/storage/')
})

test('the link moves with the response', async () => {
  const s = await letterStudy()
  const { owner, trial, anna, bert, ids } = s
  await owner.do('updateParticipant', trial, anna, { isUnallocated: true })
  const at = `${s.one}/allocations` as const
  for (const moved of [
    await owner.post<'allocateResponse'>(`${at}?participant=${bert}`),
    await owner.delete<'detachResponse'>(at),
  ]) {
    expect(await s.bytesOf(present(moved.response[ids.letter!]).url)).toEqual([200, 'the letter'])
    const { response } = firstOf((await owner.get<'readResponse'>(s.one)).responses)
    expect(await s.bytesOf(present(response[ids.letter!]).url)).toEqual([200, 'the letter'])
  }
})
