import { expect, test } from 'bun:test'
import { listen } from '#server/listen'
import type { Section } from '#web/manual/render'
import { fold, search } from '#web/manual/search'
import { world } from '../harness'

const section = (page: string, title: string, text: string): Section => ({ page, title, anchor: 'a', depth: 2, text })
const titles = new Map([
  ['running', 'Running a server'],
  ['forms', 'Forms'],
])
const sections = [
  section('running', 'Backup', 'Keep a copy elsewhere. Zürich is far.'),
  section('running', 'Disk', 'A backup needs room.'),
  section('forms', 'Scores', 'Points are added up.'),
]
const found = (query: string) => search(sections, titles, query).map(({ section }) => section.title)

test.each([
  ['backup', ['Backup', 'Disk']],
  ['BACKUP', ['Backup', 'Disk']],
  ['backup room', ['Disk']],
  ['zurich', ['Backup']],
  ['Zu\u0308rich', ['Backup']],
  ['running disk', ['Disk']],
  ['nothing of the sort', []],
  ['   ', []],
  ['(', []],
])('%p finds %p', (query, expected) => expect(found(query)).toEqual(expected))

test('an excerpt marks the words that were found, with their accents', () => {
  const [{ excerpt }] = search(sections, titles, 'zurich') as [ReturnType<typeof search>[0]]
  expect(excerpt.filter(({ isMatch }) => isMatch)).toEqual([{ text: 'Zürich', isMatch: true }])
  expect(excerpt.map(({ text }) => text).join('')).toBe('Keep a copy elsewhere. Zürich is far.')
})

test('an excerpt is a part of a long text', () => {
  const long = section('forms', 'Long', `${'before '.repeat(100)}needle${' after'.repeat(100)}`)
  const [{ excerpt }] = search([long], titles, 'needle') as [ReturnType<typeof search>[0]]
  const text = excerpt.map((part) => part.text).join('')
  expect(text).toMatch(/^….*needle.*…$/)
  expect(text.length).toBeLessThan(240)
})

test('folding removes accents, case and ligatures', () => expect(fold('Éﬁ ’x’')).toBe("efi 'x'"))

test('the server serves pages and searches, and 404 for an unknown page', async () => {
  const server = listen(world().service, { host: '127.0.0.1', port: 0 })
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`)
    return {
      status: response.status,
      policy: response.headers.get('content-security-policy'),
      text: await response.text(),
    }
  }
  const home = await get('/manual')
  expect([home.status, home.policy]).toEqual([200, expect.stringContaining("default-src 'none'")])
  expect(home.text).toContain('<h1 id="the-trialbox-manual">')
  expect((await get('/manual/')).text).toBe(home.text)
  const page = await get('/manual/backup')
  expect(page.text).toContain('<h2 id="restore">')
  expect(page.text).toContain('<a rel="prev" href="/manual/commands-backup">')
  expect(page.text).toContain('<a rel="next" href="/manual/security">')
  expect(page.text).not.toContain('<script')
  const hits = await get('/manual?q=Réstore')
  expect(hits.text).toContain('<a href="/manual/backup#restore">')
  const unsafe = await get(`/manual?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
  expect([unsafe.status, unsafe.text.includes('<script')]).toEqual([200, false])
  expect((await get('/manual/nothing')).status).toBe(404)
  expect((await get('/manual/../secrets')).status).toBe(404)
  expect((await get('/manual/trialbox.svg')).text).toStartWith('<svg')
  await server.stop()
})
