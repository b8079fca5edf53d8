/** One upload that several requests send, or ask for, at the same moment. */
import { expect, test } from 'bun:test'
import { world } from '../../harness'
import { atSite, bytes, uploadRequestUrl } from './uploads.study'

test('an upload stays, and is answered with success, if a question how much has arrived completes it first', async () => {
  const here = world()
  const { patient } = atSite(here, here.trial())
  const { storage, services } = here.service
  const send = (url: string, body: string | undefined, headers: Record<string, string> = {}) =>
    storage(new Request(url, { method: 'PUT', body, headers: { 'Content-Type': 'application/pdf', ...headers } }), {
      timeout: () => {},
    })
  for (let n = 0; n < 10; n++) {
    const { signedRequestURL, fileName } = await patient.get(uploadRequestUrl('participant', undefined))
    const whole = send(signedRequestURL, bytes)
    const questions: Promise<Response>[] = []
    // As long as the upload runs, so that one comes between its place on the disk and its record.
    let isRunning = true
    void whole.finally(() => (isRunning = false))
    while (isRunning) {
      questions.push(send(signedRequestURL, undefined, { 'Content-Range': `bytes */${bytes.length}` }))
      await Bun.sleep(0)
    }
    expect((await whole).status).toBe(200)
    for (const question of questions) expect([200, 202]).toContain((await question).status)
    const file = services.storage.downloadUrl(fileName, 'scan.pdf', Number.MAX_SAFE_INTEGER)
    const read = await storage(new Request(file), { timeout: () => {} })
    expect([read.status, await read.text()]).toEqual([200, bytes])
  }
})
