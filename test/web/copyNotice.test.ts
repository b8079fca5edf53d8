/** Each page of a restored copy says that it is one, and each answer of the API has a header. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { systemClock } from '#kernel/time'
import { listen } from '#server/listen'
import { openService } from '#server/service'
import { program } from '#start/program'
import { copyNotice } from '#web/serving/copyNotice'
import { afterFile } from '../afterFile'
import { proof } from '../proof'
import { freshFolder } from '../server/process/folder'
import { chromium, faultsOf, inBrowser } from './browser'

const COPY = {
  address: 'https://study.example.org',
  madeAt: '2026-03-02T12:00:00.000000Z',
  restoredAt: '2026-03-05T08:00:00.000000Z',
}

let base = ''
let plain = ''
beforeAll(() => {
  const started = [COPY, undefined].map((copyOf) => {
    const options = {
      storageKey: 'signs the links of a test',
      clock: systemClock,
      publicUrl: '',
      version: '0.0.0+test',
    }
    const service = openService(program, { directory: freshFolder(), ...options, copyOf })
    const server = listen(service, { host: '127.0.0.1', port: 0 })
    afterFile(async () => {
      await server.stop()
      service.close()
    })
    return `http://127.0.0.1:${server.port}`
  })
  ;[base = '', plain = ''] = started
})

/** A page of each kind that the server has. */
const PAGES = [
  ...[
    '/',
    '/docs',
    '/trust',
    '/account',
    '/account/keys',
    '/setup/abc',
    '/manual',
    '/manual/backup',
    '/manual/nothing',
  ],
  ...['/manual?q=lock', '/app', '/app/', '/app/today', '/app/stage/abc', '/app/stage/abc/more', '/app/file-review/abc'],
  ...[
    '/poll/a/b',
    '/poll',
    '/app/meeting/abc',
    '/app/consent/a/b',
    '/app/consent/a/b/withdraw',
    '/app/consent-session/a',
  ],
]

/** How the notice begins in each language. */
const BEGINNINGS = {
  en: 'Copy of https://study.example.org, from a backup of 2026-03-02.',
  de: 'Kopie von https://study.example.org. Tag der Sicherung: 2026-03-02.',
  fr: 'Ceci est une copie. Serveur d’origine\u00a0: https://study.example.org. Jour de la sauvegarde\u00a0: 2026-03-02.',
  es: 'Copia de https://study.example.org. Día de la copia de seguridad: 2026-03-02.',
  ar: 'نسخة من https://study.example.org، من نسخة احتياطية بتاريخ 2026-03-02.',
}
const headers = { Accept: 'text/html' }

test.each(PAGES)('%s says so in every language, and on no other server', async (path) => {
  const response = await fetch(base + path, { headers, redirect: 'follow' })
  const html = await response.text()
  for (const [language, beginning] of Object.entries(BEGINNINGS))
    expect(html).toContain(
      `<p lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><strong>${beginning}</strong> `,
    )
  expect(response.headers.get('x-service-copy')).toBe(COPY.madeAt)
  const other = await fetch(plain + path, { headers })
  expect(await other.text()).not.toContain('copy-notice')
  expect(other.headers.get('x-service-copy')).toBeNull()
  // A browser that has the page of the server itself gets the other one.
  const etag = other.headers.get('etag')
  if (etag) expect((await fetch(base + path, { headers: { ...headers, 'If-None-Match': etag } })).status).toBe(200)
})

test('the sentence is whole, too, where neither the server nor the day is known', () => {
  const { text } = copyNotice({ ...COPY, address: null, madeAt: null })
  for (const sentence of [
    'Copy of another server, from a backup of an unknown day.',
    'Kopie von einem anderen Server. Tag der Sicherung: unbekannt.',
    'Ceci est une copie. Serveur d’origine\u00a0: inconnu. Jour de la sauvegarde\u00a0: inconnu.',
    'Copia de otro servidor. Día de la copia de seguridad: desconocido.',
  ])
    expect(text).toContain(sentence)
})

test('answers of the API say so in a header, and the service worker is another one', async () => {
  for (const path of ['/health', '/users/me', '/nothing', '/storage/files/x', '/openapi.json'])
    expect([path, (await fetch(base + path)).headers.get('x-service-copy')]).toEqual([path, COPY.madeAt])
  const [one, other] = await Promise.all([base, plain].map(async (from) => (await fetch(`${from}/app/sw.js`)).text()))
  expect(one).toBe(`${other}\n// copy ${COPY.restoredAt}\n`)
  expect(JSON.parse(await (await fetch(`${base}/openapi.json`)).text()).openapi).toStartWith('3.')
})

describe.skipIf(!chromium)('in a browser', () => {
  proof(
    'exactly the text in the language of the page is shown, also where a script chooses it',
    async () => {
      await inBrowser(async (page) => {
        const faults = faultsOf(page, base)
        for (const path of ['/', '/app/', '/docs', '/app/stage/abc', '/manual/backup']) {
          await page.goto(base + path)
          await page.locator('.copy-notice p[lang=en]').waitFor()
          expect([path, await page.locator('.copy-notice p:visible').count()]).toEqual([path, 1])
        }
        await page.evaluate(() => document.documentElement.setAttribute('lang', 'ar'))
        await page.locator('.copy-notice p[lang=ar]').waitFor()
        expect(await page.locator('.copy-notice p:visible').count()).toBe(1)
        expect(faults).toEqual([])
      })
    },
    120_000,
  )
})
