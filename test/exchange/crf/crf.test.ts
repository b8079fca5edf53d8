import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { textPages } from '#documents/textPages'
import { study } from '../../design/stages/stages.study'
import { world } from '../../harness'
import { proof } from '../../proof'
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
  const { url, warnings } = await here.owner.do('readStage', here.stage, { format: 'pdf' })
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

withPoppler('every character is drawn: of other scripts, and signs of mathematics too', async () => {
  const here = study()
  const field = (name: string) => here.field({ name, format: 'text' })
  const titles = [
    'Как вы себя чувствуете?',
    'Πώς αισθάνεστε;',
    'Bạn cảm thấy thế nào?',
    'e\u0301tat',
    'Age ≥ 18, ≤ 65, ≠ 40, ≈ √ ∆ ∑ ∞ → ± µ ☐ ☑ ½ ² ₂ ‰ α\u0007',
    `a${'W'.repeat(900)}z`,
  ]
  const components = []
  for (const [at, title] of titles.entries())
    components.push({ id: `c${at}`, dataType: (await field(`f${at}`))._id, title })
  const { _id } = await here.make({ components })
  const { url, warnings } = await here.owner.do('readStage', _id, { format: 'pdf' })
  expect(warnings).toEqual([])
  const { bytes } = await fileOf(here, url)
  const { text } = readPdf(bytes)
  for (const title of [...titles.slice(0, 3), 'état', titles[4]!.replace('\u0007', '')]) expect(text).toContain(title)
  expect(text.replace(/ /g, '')).toContain(`a${'W'.repeat(900)}z`)
  // With blank glyphs, the line of the first question would be white.
  const image = ran(['pdftoppm', '-r', '72', '-gray', '-f', '1', '-l', '1', 'FILE'], bytes)
  const [header] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(image.subarray(0, 40).toString('latin1'))!
  expect(image.subarray(header.length).filter((shade) => shade < 128).length).toBeGreaterThan(5_000)
})

test.each([
  ['a question', { title: 'Wo ist 痛み?' }, '“痛” (U+75DB) in question 1 (“Wo ist 痛み?”)'],
  ['an option', { title: 'Where?', options: [{ label: 'هل' }] }, '“ه” (U+0647) in question 1 (“Where?”)'],
  ['a help text', { title: 'Where?', description: 'שם' }, '“ש” (U+05E9) in question 1'],
  ['a heading', { heading: 'Mood 🙂' }, '“🙂” (U+1F642) in the heading “Mood 🙂”'],
  ['the name', { name: 'Visite ไทย' }, '“ไ” (U+0E44) in the name of the form'],
])('a form is refused with the character that cannot be printed and its place: %s', async (_, parts, said) => {
  const here = study()
  const { title = 'A', description, options, heading, name = 'Form' }: Parts = parts
  const asked = options ? { format: 'choice', options } : { format: 'text' }
  const { _id: dataType } = await here.field({ name: 'A', ...asked })
  const components = [
    ...(heading ? [{ id: 'h', type: 'title', title: heading }] : []),
    { id: 'a', dataType, title, ...(description ? { description } : {}) },
  ]
  const { _id } = await here.make({ name, components })
  const { status, body } = await here.owner.call('GET', `/stages/${_id}?format=pdf`)
  expect([status, body.message]).toEqual([400, expect.stringContaining(`The PDF cannot print ${said}`)])
  const word = await here.owner.do('readStage', _id, { format: 'docx' })
  expect(word.warnings).toEqual([])
  const file = await fileOf(here, word.url)
  partsOf(file.bytes)
  expect(await textOf(file.bytes)).toContain(heading ?? title)
})

type Parts = { title?: string; description?: string; options?: { label: string }[]; heading?: string; name?: string }

/** The words of a PDF that reach over the margins of 48 points, or over the edge of the page. */
function outside(bytes: Buffer): string[] {
  const page = ran(['pdftotext', '-bbox', 'FILE', '-'], bytes).toString()
  return [...page.matchAll(/<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)</g)]
    .filter(([, left, top, right, bottom]) => +left! < 47 || +right! > 595.28 - 47 || +top! < 0 || +bottom! > 842)
    .map(([word]) => word)
}

withPoppler('no text goes over the margin, whatever is long', async () => {
  const here = study()
  const long = 'W'.repeat(300)
  const link = `https://example.org/${'path/'.repeat(40)}?q=${'x'.repeat(60)}`
  const unit = 'W'.repeat(50)
  const choices = (count: number) => Array.from({ length: count }, (_, n) => ({ label: `${n} ${long}`, code: n }))
  const formats: Record<string, unknown>[] = [
    { format: 'text', unit },
    { format: 'text', unit: 'a long unit of measurement' },
    { format: 'paragraph' },
    { format: 'float', min: -999_999_999_999, max: 999_999_999_999, decimals: 10, unit },
    { format: 'integer', max: 999_999_999_999, unit: 'per minute and litre of fluid' },
    { format: 'datetime' },
    { format: 'slider', minLabel: 'W'.repeat(200), maxLabel: link.slice(0, 200), unit },
    { format: 'rating', min: 1_000_000_000, max: 1_000_000_010, minLabel: 'W'.repeat(200) },
    { format: 'choice', options: choices(3) },
    { format: 'choice', multiple: true, options: [{ label: link }] },
    {
      format: 'likert',
      scale: Array.from({ length: 11 }, (_, value) => ({ value, label: `${value}${'W'.repeat(400)}` })),
      statements: [{ key: 'a', label: long }],
    },
    { format: 'table', columns: choices(9).map(({ label }, n) => ({ id: `c${n}`, label, format: 'text' })) },
    { format: 'bmi' },
    { format: 'file', mimeTypes: [`application/${'w'.repeat(80)}`] },
  ]
  const components = []
  for (const [at, settings] of formats.entries()) {
    const { _id } = await here.field({ name: `f${at}`, ...settings })
    components.push({ id: `c${at}`, dataType: _id, title: `${link} ${at}`, description: long })
  }
  components.push({ id: 'h', type: 'title', title: long })
  const { _id } = await here.make({ name: 'W'.repeat(100), description: link, components })
  await here.owner.do('updateTrial', here.trial, { name: 'W'.repeat(500) })
  const { url } = await here.owner.do('readStage', _id, { format: 'pdf' })
  const { bytes } = await fileOf(here, url)
  expect(outside(bytes)).toEqual([])
  // Nothing is cut off: not the name of the trial, not the label of a narrow column.
  const text = ran(['pdftotext', '-raw', 'FILE', '-'], bytes).toString().replace(/\s/g, '')
  expect(text).toContain('W'.repeat(500))
  expect(text.match(/W/g)!.length).toBeGreaterThan(11 * 400 + 14 * 300 + 12 * 300)
})

proof('a form is printed up to a million characters, and refused beyond', async () => {
  const here = study()
  const { _id: dataType } = await here.field({ name: 'a' })
  const form = (count: number) =>
    here.make({
      components: [
        { id: 'a', dataType, title: 'A' },
        ...Array.from({ length: count }, (_, n) => ({
          id: `t${n}`,
          type: 'title',
          title: 'x'.repeat(500),
          description: 'y'.repeat(4_500),
        })),
      ],
    })
  const { _id } = await form(200)
  for (const format of ['pdf', 'docx'] as const) {
    const { status, body } = await here.owner.call('GET', `/stages/${_id}?format=${format}`)
    expect(status).toBe(400)
    expect(body.message).toMatch(/^The texts of this form have \d{7} characters together; 1000000 can be printed\. /)
  }
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
    (await fileOf(here, (await here.owner.do('readStage', stage, { format: 'pdf' })).url)).bytes,
  )
  expect(count).toBeGreaterThan(15)
  for (const [at, page] of pages.entries()) expect(page).toContain(`Page ${at + 1} of ${count}`)
  for (const [at, field] of fields.entries()) expect(text).toContain(`${at + 1}. ${field}`)
  const withRows = pages.filter((page) => page.includes('Statement number'))
  expect(withRows.length).toBeGreaterThan(1)
  for (const page of withRows) expect(page).toContain('Never Seldom Always')
  for (const { label } of statements) expect(text).toContain(label)
})

// The fonts are read once: what one document makes of a character must not stay for the next.
withPoppler('a point can be read in a document after one that drew it as a part of another sign', async () => {
  const about = { title: 'Report', about: 'Report', unprintable: 'Boxes stand for signs that cannot be printed' }
  await textPages(() => [{ as: 'heading', text: 'And so on… ü i ! ? ÷ : ;' }], about)
  const bytes = await textPages(() => [{ as: 'heading', text: '1. Question' }], about)
  expect(readPdf(Buffer.from(bytes)).text).toContain('1. Question')
})
