/** What the PDF of a consent in person says about who was there, the device and the time on each page. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageTimes } from '#conduct/consents/signing/presence'
import { SECOND } from '#kernel/time'
import { confirmed, consentWorld, typed } from '../consents.study'

const event = (type: string, seconds: number, page?: string) => ({
  ...{ session: 's', number: 1, createdAt: seconds * SECOND, type },
  content: page === undefined ? {} : { page },
})

test.each([
  ['no page', [event('started', 0)], []],
  [
    'each until the next, the last until the signature',
    [event('page', 0, 'sheet'), event('page', 30, 'quiz')],
    [
      { page: 'sheet', seconds: 30 },
      { page: 'quiz', seconds: 70 },
    ],
  ],
  [
    'a page that was opened twice, together',
    [event('page', 0, 'a'), event('page', 10, 'b'), event('page', 15, 'a')],
    [
      { page: 'a', seconds: 95 },
      { page: 'b', seconds: 5 },
    ],
  ],
  ['what is no page does not end one', [event('page', 0, 'a'), event('codeSent', 50)], [{ page: 'a', seconds: 100 }]],
])('the time on pages: %s', (_, events, expected) => {
  expect(pageTimes(events, 100 * SECOND)).toEqual(expected)
})

test('the PDF of a consent in person names witness, staff, others and the device; that of a remote one does not', async () => {
  const w = await consentWorld()
  const { owner, nobody, trialId, documentId, directory, clock, start, give } = w
  const { _id } = await owner.do('registerParticipants', trialId, { participantId: 'P-1' })
  const session = await confirmed(w)
  const { token } = await session.do('startConsentInPerson', trialId, _id, {
    ...{ consentDocument: documentId, witness: 'Will Witness', present: ['Ida Interpreter', 'Max Mueller'] },
  })
  const open = (page: string) => nobody.do('recordConsentEvents', token, { events: [{ type: 'page', page }] })
  await open('sheet')
  clock(95 * SECOND)
  await open('signature')
  clock(20 * SECOND)
  const device = 'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X)'
  const signed = await nobody.call('POST', `/consent-sessions/${token}/consent`, typed('Ann Lee'), {
    headers: { 'User-Agent': device },
  })
  const remote = await give(await start(), typed('Bo Lee'))
  const texts = []
  for (const { body } of [signed, remote]) {
    const path = join(directory, 'exports', 'read.pdf')
    writeFileSync(path, await (await w.fetch(body.url)).bytes())
    texts.push(`${Bun.spawnSync(['pdftotext', '-layout', path, '-']).stdout}`)
  }
  for (const line of [
    ...['Witness: Will Witness', 'Also present: Ida Interpreter, Max Mueller', `Device: ${device}`],
    ...['sheet: 1 min 35 s', 'signature: 0 min 20 s', 'with participant P-1'],
  ])
    expect(texts[0]).toContain(line)
  expect(texts[1]).not.toMatch(/Witness|Device:|Time on each page/)
})
