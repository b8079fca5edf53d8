import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '#kernel/id'
import { consentWorld, PIXEL, typed } from '../../conduct/consents/flow'
import { PASSWORD } from '../../harness'

/** The text of a PDF, as poppler reads it. */
function textOf(directory: string, pdf: Uint8Array): string {
  const path = join(directory, 'exports', 'read.pdf')
  writeFileSync(path, pdf)
  const { stdout, exitCode } = Bun.spawnSync(['pdftotext', '-layout', path, '-'])
  expect(exitCode).toBe(0)
  return `${stdout}`
}

/** The data that is attached to a PDF. */
function dataOf(directory: string): { signed: { fullName: string }; form: { content: { document: string } } } {
  const out = join(directory, 'exports', 'consent.json')
  const path = join(directory, 'exports', 'read.pdf')
  expect(Bun.spawnSync(['pdfdetach', '-save', '1', '-o', out, path]).exitCode).toBe(0)
  return JSON.parse(`${Bun.spawnSync(['cat', out]).stdout}`)
}

test('the signed PDF says what was signed, by whom and when; what its fonts lack is in the attached data', async () => {
  const document = `<h1>Die Studie</h1><ol><li>Zwei Besuche</li></ol><table><tr><td>A</td><td>B</td></tr></table>
    <p>مرحبا</p><img alt="Logo" src="data:image/png;base64,${PIXEL}"><script>alert(1)</script>`
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
    '□□□□□',
    'I take part.',
    'Full name: Ann Łee',
    'ann@example.org',
  ])
    expect(text).toContain(part)
  expect(text).toMatch(/A ?\| ?B/)
  expect(text).not.toContain('alert')
  const data = dataOf(directory)
  expect([data.signed.fullName, data.form.content.document.includes('مرحبا')]).toEqual(['Ann Łee', true])
})

test('a countersignature needs a fresh confirmation, is given once, and names the signed PDF', async () => {
  const w = await consentWorld({ requiresCountersignature: true })
  const { owner, signIn, trialId, start, give, directory } = w
  const { body } = await give(await start(), typed('Ann Lee'))
  const url = `/trials/${trialId}/consents/${body._id}/countersignature` as const
  expect((await owner.call('POST', url, {})).body.details.code).toBe('reauth')
  const app = await signIn(owner)
  await app.post('/sessions/confirmations', { password: PASSWORD })
  const after = await app.post(url, {})
  expect(after).toMatchObject({ countersignedBy: owner._id, countersignedAt: w.now() })
  expect((await app.call('POST', url, {})).status).toBe(400)
  const pdf = await (await w.fetch(`${after.countersignedFile}`)).bytes()
  expect(sha256(pdf)).toBe(`${after.countersignedHash}`)
  expect(textOf(directory, pdf).replace(/\s+/g, '')).toContain(body.fileHash)
})

test('staff see who signed which version of a form, and who still has to', async () => {
  const { owner, trialId, documentId, give } = await consentWorld()
  const all = ['P-1', 'P-2', 'P-3'].map((participantId) => ({ participantId }))
  const { participants } = await owner.post(`/trials/${trialId}/participants`, { participants: all })
  const sign = async (_id: string) => {
    const url = `/trials/${trialId}/participants/${_id}/consent-sessions` as const
    const { token } = await owner.post(url, { consentDocument: documentId })
    expect((await give(token, typed('Ann Lee'))).status).toBe(200)
  }
  const [ann, bert] = participants.map(({ _id }) => _id)
  await sign(`${ann}`)
  const form = `/trials/${trialId}/consentDocuments/${documentId}` as const
  await owner.call('PATCH', form, { document: '<p>It asks more now.</p>', requiresReconsent: true })
  await sign(`${bert}`)
  const url = `/trials/${trialId}/consent-statuses?consentDocument=${documentId}` as const
  expect(await owner.get(url)).toMatchObject({
    participants: [
      { participantId: 'P-1', version: 1, status: 'outdated' },
      { participantId: 'P-2', version: 2, status: 'signed' },
      { participantId: 'P-3', version: null, status: 'missing' },
    ],
    next: null,
  })
})
