/** Large files over a line that breaks: what has arrived counts, and in the end everything is there once. */
import { expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { type AddressInfo, connect, createServer } from 'node:net'
import { until } from '../until'
import { chromium, faultsOf, inBrowser } from './browser'
import { NOW, signIn, visit, ward } from './ward'

const MB = 1024 ** 2
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A line to a server that breaks after so many bytes have gone to it, until it is mended. */
async function brokenLine(port: number, most: number) {
  let [breaks, isMended] = [0, false]
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    let sent = 0
    const end = () => {
      near.destroy()
      far.destroy()
    }
    near.on('data', (bytes) => {
      sent += bytes.length
      if (sent > most && !isMended) {
        breaks++
        end()
      } else if (!far.destroyed && !far.write(bytes)) near.pause()
    })
    far.on('drain', () => near.resume())
    far.on('data', (bytes) => near.destroyed || near.write(bytes))
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breaks: () => breaks,
    mend: () => {
      isMended = true
    },
    close: () => server.close(),
  }
}

test.skipIf(!chromium)(
  '20 MB of scans over a line that breaks and a server that goes away arrive whole, and once',
  async () => {
    const where = await ward()
    const { anna, scans, forms, stored, storedHash, leave, come } = where
    const line = await brokenLine(Number(new URL(where.base).port), 3 * MB)
    const files = scans.map((dataType, n) => ({ dataType, name: `scan ${n}.jpg`, bytes: randomBytes(5 * MB) }))
    try {
      await inBrowser(async (page) => {
        const { base } = line
        const faults = faultsOf(page, base)
        page.setDefaultTimeout(60_000)
        await page.clock.install({ time: NOW })
        await signIn(page, { ...where, base })
        await visit(page, { ...where, base }, forms.scans)
        for (const { dataType, name, bytes } of files)
          await page.locator(`[id="answer-${dataType}"]`).setInputFiles({ name, mimeType: 'image/jpeg', buffer: bytes })
        await page.locator('form button.main').click()
        await until(() => line.breaks() >= 3)
        await leave()
        await page.goto(`${base}/app/waiting`)
        await page.locator('.kept.waiting').waitFor()
        come()
        await page.evaluate(() => dispatchEvent(new Event('online')))
        await until(() => line.breaks() >= 5)
        line.mend()
        await page.evaluate(() => dispatchEvent(new Event('online')))
        await page.locator('.empty').waitFor()
        expect(faults.filter((fault) => !/ERR_|^asks blob:/.test(fault))).toEqual([])
      })
      const [answers, ...more] = await stored(anna, forms.scans)
      expect(more).toEqual([])
      for (const { dataType, name, bytes } of files) {
        const value = answers?.response[dataType]?.value
        const { fileName } = value as { fileName: string }
        expect([(value as { name: string }).name, storedHash(fileName)]).toEqual([name, hashOf(bytes)])
      }
    } finally {
      line.close()
      await leave()
    }
  },
  180_000,
)
