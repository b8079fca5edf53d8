import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '#kernel/id'
import { PASSWORD } from '../../../harness'
import { until } from '../../../until'
import { consentWorld, inPerson, PIXEL, typed } from '../consents.study'

/** The text of a PDF, as poppler reads it. */
function textOf(directory: string, pdf: Uint8Array): string {
  const path = join(directory, 'exports', 'read.pdf')
  writeFileSync(path, pdf)
  const { stdout, exitCode } = Bun.spawnSync(['pdftotext', '-layout', path, '-'])
  expect(exitCode).toBe(0)
  return `${stdout}`
}

/** A file that is attached to the PDF that was read last. @param number from 1 */
function attachedTo(directory: string, number: number): string {
  const [out, path] = ['attached', 'read.pdf'].map((name) => join(directory, 'exports', name))
  expect(Bun.spawnSync(['pdfdetach', '-save', `${number}`, '-o', `${out}`, `${path}`]).exitCode).toBe(0)
  return readFileSync(`${out}`, 'utf8')
}

/** The data that is attached to a PDF. */
function dataOf(directory: string): { signed: { fullName: string }; form: { content: { document: string } } } {
  return JSON.parse(attachedTo(directory, 1))
}

test('the signed PDF says what was signed, by whom and when; what its fonts lack is in the attached data', async () => {
  const document = `<h1>Die Studie</h1><ol><li>Zwei Besuche</li></ol><table><tr><td>A</td><td>B</td></tr></table>
    <p>你好</p><img alt="Karte" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img alt="Logo" src="data:image/png;base64,${PIXEL}"><script>alert(1)</script>`
  const w = await consentWorld({ document, conditions: [{ id: 'a', title: 'I take part.' }] })
  const { start, verify, give, directory } = w
  const token = await start()
  await verify(token, 'ann@example.org')
  const signed = { fullName: 'Ann Łee', confirmations: { a: true }, signature: { method: 'drawn', image: PIXEL } }
  const { body } = await give(token, signed)
  const pdf = await (await w.fetch(body.url)).bytes()
  expect(sha256(pdf)).toBe(body.fileHash)
  const text = textOf(directory, pdf)
  for (const part of [
    'Die Studie',
    '1. Zwei Besuche',
    '□□',
    '[Image: Karte. It cannot be printed; the file consent.json in this PDF has it.]',
    'The file consent.txt in this PDF has the whole text.',
    'I take part.',
    'Full name: Ann Łee',
    'ann@example.org',
  ])
    expect(text).toContain(part)
  expect(text).toMatch(/A ?\| ?B/)
  expect(text).not.toContain('alert')
  const data = dataOf(directory)
  expect([data.signed.fullName, data.form.content.document.includes('你好')]).toEqual(['Ann Łee', true])
  const whole = attachedTo(directory, 2)
  for (const part of ['你好', '1. Zwei Besuche', 'I take part.', 'Full name: Ann Łee', 'ann@example.org: the code'])
    expect(whole).toContain(part)
  expect(whole).not.toContain('□□')
})

test('Arabic and Hebrew are set from right to left, with numbers and Latin words in them, and need no other file', async () => {
  const arabic = 'توقف الدراسة في 12.5 يوما (زيارتان) مع Trialbox متى شئت.'
  const hebrew = 'שלום עולם 2026'
  const w = await consentWorld({ document: `<h1>مرحبا</h1><p>${arabic}</p><p>Read: ${hebrew}, please.</p>` })
  const { body } = await w.give(await w.start(), typed('ليلى Lee'))
  const pdf = await (await w.fetch(body.url)).bytes()
  const text = textOf(w.directory, pdf).replace(/[\u200e\u200f\u202a-\u202e]/g, '')
  expect(text).not.toContain('□')
  for (const part of [
    'مرحبا',
    'توقف الدراسة في',
    '12.5',
    'يوما',
    'زيارتان',
    'Trialbox',
    'متى شئت',
    'שלום עולם',
    'ليلى',
  ])
    expect(text).toContain(part)
  const path = join(w.directory, 'exports', 'read.pdf')
  expect(`${Bun.spawnSync(['pdfdetach', '-list', path]).stdout}`).not.toContain('consent.txt')
})

test('no copy of a signed document is left among the exports', async () => {
  const { start, give, directory } = await consentWorld()
  const token = await start()
  const given = await Promise.all([1, 2, 3].map(() => give(token, typed('Ann Lee'))))
  expect(new Set(given.map(({ body }) => body._id)).size).toBe(1)
  await until(() => readdirSync(join(directory, 'exports')).length === 0)
})

test('a countersignature needs a fresh confirmation, is given once, and names the signed PDF', async () => {
  const w = await consentWorld({ requiresCountersignature: true })
  const { owner, signIn, trialId, start, give, directory } = w
  const { body } = await give(await start(), typed('Ann Lee'))
  const url = `/trials/${trialId}/consents/${body._id}/countersignature` as const
  expect((await owner.call('POST', url, {})).body.details.code).toBe('reauth')
  const app = await signIn(owner)
  await app.do('confirmIdentity', { password: PASSWORD })
  const after = await app.do('countersignConsent', trialId, body._id, {})
  expect(after).toMatchObject({ countersignedBy: owner._id, countersignedAt: w.now() })
  expect((await app.call('POST', url, {})).status).toBe(400)
  const pdf = await (await w.fetch(`${after.countersignedFile}`)).bytes()
  expect(sha256(pdf)).toBe(`${after.countersignedHash}`)
  expect(textOf(directory, pdf).replace(/\s+/g, '')).toContain(body.fileHash)
})

test('staff see who signed which version of a form, and who still has to', async () => {
  const w = await consentWorld()
  const { owner, trialId, documentId, give } = w
  const all = ['P-1', 'P-2', 'P-3'].map((participantId) => ({ participantId }))
  const { participants } = await owner.do('registerParticipants', trialId, { participants: all })
  const sign = async (_id: string) => {
    const { token } = (await inPerson(w, trialId, _id, documentId)).body
    expect((await give(token, typed('Ann Lee'))).status).toBe(200)
  }
  const [ann, bert] = participants.map(({ _id }) => _id)
  await sign(`${ann}`)
  const form = `/trials/${trialId}/consentDocuments/${documentId}` as const
  await owner.call('PATCH', form, { document: '<p>It asks more now.</p>', requiresReconsent: true })
  await sign(`${bert}`)
  expect(await owner.do('listConsentStatuses', trialId, { consentDocument: documentId })).toMatchObject({
    participants: [
      { participantId: 'P-1', version: 1, status: 'outdated' },
      { participantId: 'P-2', version: 2, status: 'signed' },
      { participantId: 'P-3', version: null, status: 'missing' },
    ],
    next: null,
  })
})
