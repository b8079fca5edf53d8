import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { study } from '../../design/stages/stages.study'
import { world } from '../../harness'
import { everyFormat as kinds } from '../../study'
import { temporaryFolder } from '../../temporary'
import { study as rows } from '../exports/exportStudy'
import { everything, fileOf, partsOf, textOf } from './crf.study'

const poppler = Bun.which('pdftotext') && Bun.which('pdfinfo') && Bun.which('pdffonts') && Bun.which('pdftoppm')
if (!poppler && process.env.CI) throw new Error('There is no poppler (poppler-utils), and in CI PDFs must be read.')
if (!poppler) console.warn('Without poppler (poppler-utils) the PDFs of case report forms are not read.')

const withPoppler = test.skipIf(!poppler)

function ran(command: string[], bytes: Buffer) {
  const path = join(temporaryFolder(), 'form.pdf')
  writeFileSync(path, bytes)
  const done = Bun.spawnSync(command.map((word) => (word === 'FILE' ? path : word)))
  expect({ command, error: done.stderr.toString(), code: done.exitCode }).toEqual({ command, error: '', code: 0 })
  return done.stdout
}

/** The text of a PDF, read by poppler: one line for each page. */
function readPdf(bytes: Buffer) {
  const text = ran(['pdftotext', '-layout', 'FILE', '-'], bytes).toString()
  const pages = text.split('\f').slice(0, -1)
  const fonts = ran(['pdffonts', 'FILE'], bytes).toString().trim().split('\n').slice(2)
  const count = Number(/Pages:\s+(\d+)/.exec(ran(['pdfinfo', 'FILE'], bytes).toString())![1])
  return { pages: pages.map((page) => page.replace(/\s+/g, ' ')), text: text.replace(/\s+/g, ' '), fonts, count }
}

withPoppler('a PDF has every question, its conditions, and head and foot on every page', async () => {
  const here = await everything()
  const { url, warnings } = await here.owner.get(`/stages/${here.stage}?format=pdf`)
  expect(warnings).toEqual([])
  const { bytes, type } = await fileOf(here, url)
  expect(type).toBe('application/pdf')
  const { pages, text, fonts, count } = readPdf(bytes)
  expect(count).toBe(pages.length)
  for (const [at, page] of pages.entries()) {
    expect(page).toContain('Walking after surgery Protocol WAS-2026/04 First visit Site Participant ID Initials Date')
    expect(page).toContain(`Version of 2 March 2026 Page ${at + 1} of ${count} Printed 2 March 2026`)
  }
  for (const [at, { name }] of kinds.entries()) expect(text).toContain(`${at + 1}. Question about ${name}`)
  const said = [
    'About today',
    'Question about Pulse *',
    'Count for a whole minute.',
    'Only if “Question about Smoker” is “Yes” (question 11).',
    '30 to 220.',
    'DD MM YYYY',
    'level 0 level 1 level 2 level 3 Not applicable',
    'Cheerful',
    '“None” only alone',
    'Name Dose',
    'kg/m²',
    'Attach the file',
    'Computed; leave blank.',
    'Completed by Signature',
  ]
  for (const each of said) expect(text).toContain(each)
  expect(fonts).toHaveLength(2)
  for (const font of fonts) expect(font).toMatch(/NotoSans.*CID TrueType.*yes +\w+ +yes/) // embedded, and its text can be extracted
})

withPoppler('glyphs are drawn, other scripts too; what the typeface lacks is a box that is reported', async () => {
  const here = study()
  const field = (name: string) => here.field({ name, format: 'text' })
  const titles = [
    'Как вы себя чувствуете?',
    'Πώς αισθάνεστε;',
    'Bạn cảm thấy thế nào?',
    'e\u0301tat',
    '痛み هل 🙂\u0007',
    `a${'W'.repeat(900)}z`,
  ]
  const components = []
  for (const [at, title] of titles.entries())
    components.push({ id: `c${at}`, dataType: (await field(`f${at}`))._id, title })
  const { _id } = await here.make({ components })
  const { url, warnings } = await here.owner.get(`/stages/${_id}?format=pdf`)
  expect(warnings).toEqual([{ field: '', problem: expect.stringMatching(/lacks these characters.*痛 み.*🙂/) }])
  const { bytes } = await fileOf(here, url)
  const { text } = readPdf(bytes)
  for (const title of [...titles.slice(0, 3), 'état', 'shown as boxes']) expect(text).toContain(title)
  expect(text.replace(/ /g, '')).toContain(`a${'W'.repeat(900)}z`)
  // With blank glyphs, the line of the first question would be white.
  const image = ran(['pdftoppm', '-r', '72', '-gray', '-f', '1', '-l', '1', 'FILE'], bytes)
  const [header] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(image.subarray(0, 40).toString('latin1'))!
  expect(image.subarray(header.length).filter((shade) => shade < 128).length).toBeGreaterThan(5_000)
  const word = await here.owner.get(`/stages/${_id}?format=docx`)
  expect(word.warnings).toEqual([])
  const file = await fileOf(here, word.url)
  partsOf(file.bytes)
  expect(await textOf(file.bytes)).toContain('痛み هل 🙂')
})

withPoppler('300 fields over many pages, and a grid whose header is repeated', async () => {
  const here = world()
  const of = rows(here)
  const statements = Array.from({ length: 80 }, (_, n) => ({ key: `s${n}`, label: `Statement number ${n}` }))
  const scale = ['Never', 'Seldom', 'Always'].map((label, value) => ({ label, value }))
  const fields = Array.from({ length: 300 }, (_, n) => of.field(`code${n}`, { format: n % 2 ? 'integer' : 'text' }))
  const grid = of.field('grid', { format: 'likert', scale, statements })
  const stage = of.stage('A long visit', [...fields, grid])
  const { pages, text, count } = readPdf(
    (await fileOf(here, (await here.owner.get(`/stages/${stage}?format=pdf`)).url)).bytes,
  )
  expect(count).toBeGreaterThan(15)
  for (const [at, page] of pages.entries()) expect(page).toContain(`Page ${at + 1} of ${count}`)
  for (const [at, field] of fields.entries()) expect(text).toContain(`${at + 1}. ${field}`)
  const withRows = pages.filter((page) => page.includes('Statement number'))
  expect(withRows.length).toBeGreaterThan(1)
  for (const page of withRows) expect(page).toContain('Never Seldom Always')
  for (const { label } of statements) expect(text).toContain(label)
})
