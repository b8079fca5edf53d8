/** Files that people send by a link, without a sign-in. */
import { describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { sharedInFile, world } from '../../harness'
import { present } from '../../present'
import { study } from '../../study'

const PDF = 'application/pdf'
const LETTER = 'the letter'

/** A study whose form asks for a letter (PDF), with a link of the first participant. */
async function letterStudy(options: Parameters<typeof study>[0] = {}) {
  const s = await study(options)
  const { owner, trial, anna, stage, ids, nobody } = s
  const linkOf = async (participant: string) =>
    (await owner.do('createStageToken', trial, participant, stage, {})).token
  const token = await linkOf(anna)
  const ask = (more: Record<string, unknown> = {}, by = token) =>
    nobody.call('POST', `/stage-tokens/${by}/uploads`, {
      ...{ dataType: ids.letter, name: 'Letter 1.pdf', size: LETTER.length, type: PDF },
      ...more,
    })
  const put = (url: string, body = LETTER, more: Record<string, string> = {}) =>
    s.fetch(url, { method: 'PUT', body, headers: { 'Content-Type': PDF, ...more } })
  /** Uploads the letter by a link. */
  async function uploaded(by = token) {
    const { status, body } = await ask({}, by)
    expect(status).toBe(200)
    expect((await put(body.signedRequestURL)).status).toBe(200)
    return { fileName: body.fileName as string, name: 'Letter 1.pdf' }
  }
  const send = (answers: Record<string, unknown>, by = token) =>
    nobody.call('POST', `/stage-tokens/${by}/responses`, s.sent(answers))
  const read = async () => {
    const { responses } = await owner.do('readParticipantResponses', trial, anna)
    const [response] = responses as unknown as { response: Record<string, { value: unknown; url?: string }> }[]
    return response?.response[present(ids.letter)]
  }
  const files = () => s.db.$client.query('SELECT storedName FROM files').all()
  return { ...s, linkOf, token, ask, put, uploaded, send, read, files }
}

const sharedLetterStudy = sharedInFile(() => letterStudy())

describe('a file by a link', () => {
  test('answers a question, and staff read it; the trail names the participant, and nobody reads its stored name there', async () => {
    const s = await letterStudy()
    const letter = await s.uploaded()
    const receipt = await s.send({ letter })
    expect(receipt.status).toBe(200)
    // The link reads nothing: not what was sent with it, either.
    expect(JSON.stringify(receipt.body)).not.toContain('/storage/')
    const answer = present(await s.read())
    expect(answer.value).toEqual(letter)
    const download = await s.fetch(present(answer.url))
    expect(await download.text()).toBe(LETTER)
    expect(download.headers.get('content-disposition')).toContain('Letter 1.pdf')
    const of = async (userType: string, type: string) =>
      (await s.owner.do('readLogs', s.trial, { format: 'csv', userType, type })).csv
    const csv = (await of('system', 'finishUpload')) + (await of('participant', 'requestUpload'))
    const uploads = csv.split('\n').filter((line) => line.includes('Upload'))
    expect(
      uploads.map((line) => ['requestUpload', 'finishUpload', 'P-1'].filter((each) => line.includes(each))),
    ).toEqual([
      ['finishUpload', 'P-1'],
      ['requestUpload', 'P-1'],
    ])
    expect(csv).not.toContain(letter.fileName)
    expect(csv).not.toContain(s.token)
  })

  test('comes in parts over a line that breaks, and goes on under another address after the hour', async () => {
    const s = await letterStudy()
    const { body } = await s.ask()
    const part = (url: string, from: number, to: number) =>
      s.put(url, LETTER.slice(from, to + 1), { 'Content-Range': `bytes ${from}-${to}/${LETTER.length}` })
    expect((await part(body.signedRequestURL, 0, 3)).status).toBe(202)
    s.clock(HOUR)
    expect((await part(body.signedRequestURL, 4, 9)).status).toBe(403)
    const again = await s.ask({ fileName: body.fileName })
    expect([again.status, again.body.fileName]).toEqual([200, body.fileName])
    expect((await part(again.body.signedRequestURL, 4, 9)).status).toBe(200)
    expect((await s.send({ letter: { fileName: body.fileName, name: 'Letter.pdf' } })).status).toBe(200)
    // An upload that is finished, or of somebody else, has no second address.
    const other = await s.linkOf(s.bert)
    expect((await s.ask({ fileName: body.fileName })).status).toBe(404)
    const { body: begun } = await s.ask()
    expect((await s.ask({ fileName: begun.fileName }, other)).status).toBe(404)
  })

  test('of somebody else, of another kind of thing or unfinished answers nothing', async () => {
    const s = await letterStudy()
    const name = 'Letter 1.pdf'
    const ofBert = await s.uploaded(await s.linkOf(s.bert))
    const forTrial = await s.owner.get<'requestFileUpload'>(
      `/uploads/file/request?${new URLSearchParams({ name, size: '10', type: PDF, forType: 'trial', forId: s.trial })}`,
    )
    expect((await s.put(forTrial.signedRequestURL)).status).toBe(200)
    const unfinished = (await s.ask()).body
    for (const { fileName } of [ofBert, forTrial, unfinished, { fileName: 'passwd' }]) {
      const { status, body } = await s.send({ letter: { fileName, name } })
      expect([fileName, status, Object.keys(body.details?.fields ?? {})]).toEqual([fileName, 400, [s.ids.letter!]])
    }
    expect(await s.read()).toBeUndefined()
  })

  test.each([
    ['another type', { type: 'image/png' }, 400],
    ['a question without files', { dataType: 'pulse' }, 400],
    ['a question of no form', { dataType: '0123456789abcdef01234567' }, 400],
    ['30 MB and a byte', { size: 30 * 1024 ** 2 + 1 }, 400],
    ['6 GB', { size: 6 * 1024 ** 3, type: 'video/mp4' }, 400],
    ['nothing', { size: 0 }, 422],
    ['no MIME type', { type: 'pdf' }, 422],
    ['half an emoji', { name: '\ud83d.pdf' }, 422],
    ['a path as its name', { name: '../../etc/passwd', fileName: '../../x' }, 404],
    ['an unknown field', { forType: 'trial' }, 422],
  ])('is refused before it is sent: %s', async (_, more, status) => {
    const s = await sharedLetterStudy()
    const dataType = 'dataType' in more && more.dataType === 'pulse' ? { dataType: s.ids.pulse } : {}
    const before = s.files().length
    const refused = await s.ask({ ...more, ...dataType })
    expect([refused.status, s.files().length]).toEqual([status, before])
  })

  test('is taken while the link works, the participant takes part and the database is open', async () => {
    const s = await letterStudy()
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    expect(await s.ask()).toMatchObject({ status: 403, body: { details: { code: 'withdrawn' } } })
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: false })
    s.db.$client.query('UPDATE trials SET isDatabaseLocked = 1').run()
    expect((await s.ask()).status).toBe(403)
    s.db.$client.query('UPDATE trials SET isDatabaseLocked = 0').run()
    expect((await s.ask({}, 'x'.repeat(43))).status).toBe(404)
    s.clock(7 * DAY)
    expect((await s.ask()).status).toBe(404)
    expect(s.files()).toEqual([])
  })

  test('that no answer named is removed within a day, one that was named stays', async () => {
    const s = await letterStudy()
    const [kept, left] = [await s.uploaded(), await s.uploaded()]
    await s.ask()
    expect((await s.send({ letter: kept })).status).toBe(200)
    s.clock(2 * DAY)
    for (let n = 0; n < 3; n++) await s.service.services.tick()
    expect(s.files()).toEqual([{ storedName: kept.fileName }])
    expect((await s.send({ letter: left })).status).toBe(400)
  })

  test('counts towards the quota of the participant', async () => {
    const s = await letterStudy({ world: world({ quotas: { participant: 25, trial: Number.POSITIVE_INFINITY } }) })
    await s.uploaded()
    await s.uploaded()
    expect(await s.ask()).toMatchObject({ status: 400, body: { details: { quota: 25, used: 20, size: 10 } } })
  })
})

test('at most 20 uploads by one link are open, and they are not counted with those of the participant', async () => {
  const s = await letterStudy()
  const first = await s.ask()
  for (let count = 1; count < 20; count++) expect((await s.ask()).status).toBe(200)
  const refused = await s.ask()
  expect([refused.status, refused.body['Allowed limit']]).toEqual([429, '20 open uploads'])
  expect(refused.headers.get('retry-after')).toBe('60')
  const query = new URLSearchParams({ name: 'a.pdf', size: '8', type: PDF, forType: 'participant' })
  await (await s.signIn()).get<'requestFileUpload'>(`/uploads/file/request?${query}`)
  expect((await s.ask({}, await s.linkOf(s.bert))).status).toBe(200)
  // Another link to the same form is no way around it.
  expect((await s.ask({}, await s.linkOf(s.anna))).status).toBe(429)
  expect((await s.put(first.body.signedRequestURL)).status).toBe(200)
  expect((await s.ask()).status).toBe(200)
  expect((await s.ask()).status).toBe(429)
  s.clock(10 * MINUTE)
  expect((await s.ask()).status).toBe(200)
})
