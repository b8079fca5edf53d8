import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractRawText } from 'mammoth'
import { auditEntries } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { HOUR } from '#kernel/time'
import { study, unknown } from '../../design/stages/stages.study'
import { type World, world } from '../../harness'
import { freshFolder } from '../../server/process/folder'
import { goodAnswers, everyFormat as kinds } from '../../study'
import { python } from '../../writers/folder'
import { study as rows } from '../exports/exportStudy'

const poppler = Bun.which('pdftotext') && Bun.which('pdfinfo') && Bun.which('pdffonts') && Bun.which('pdftoppm')
if (!poppler && process.env.CI) throw new Error('There is no poppler (poppler-utils), and in CI PDFs must be read.')
if (!poppler) console.warn('Without poppler (poppler-utils) the PDFs of case report forms are not read.')
const withPoppler = test.skipIf(!poppler)

const folder = freshFolder()

/** The file behind a link. */
async function fileOf(here: Pick<World, 'fetch'>, url: string) {
  const answer = await here.fetch(url)
  expect(answer.status).toBe(200)
  return { bytes: Buffer.from(await answer.arrayBuffer()), type: answer.headers.get('content-type') }
}

function ran(command: string[], bytes: Buffer) {
  const path = join(folder, 'form.pdf')
  writeFileSync(path, bytes)
  const done = Bun.spawnSync(command.map((word) => (word === 'FILE' ? path : word)))
  expect({ command, error: done.stderr.toString(), code: done.exitCode }).toEqual({ command, error: '', code: 0 })
  return done.stdout
}

/** A PDF as poppler reads it: the text of each page in one line. */
function readPdf(bytes: Buffer) {
  const text = ran(['pdftotext', '-layout', 'FILE', '-'], bytes).toString()
  const pages = text.split('\f').slice(0, -1)
  const fonts = ran(['pdffonts', 'FILE'], bytes).toString().trim().split('\n').slice(2)
  const count = Number(/Pages:\s+(\d+)/.exec(ran(['pdfinfo', 'FILE'], bytes).toString())![1])
  return { pages: pages.map((page) => page.replace(/\s+/g, ' ')), text: text.replace(/\s+/g, ' '), fonts, count }
}

const textOf = async (bytes: Buffer) => (await extractRawText({ buffer: bytes })).value.replace(/\s+/g, ' ')

/** The parts of a Word file, each well-formed, by Python's own zip and XML. */
function partsOf(bytes: Buffer): Record<string, string> {
  const path = join(folder, 'form.docx')
  writeFileSync(path, bytes)
  const program = `
import json, sys, zipfile
from xml.dom import minidom
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    parts = {n: z.read(n).decode() for n in z.namelist() if n.endswith(('.xml', '.rels'))}
for part in parts.values(): minidom.parseString(part)
print(json.dumps(parts))`
  const { ok, out, error } = python(program, path)
  expect({ ok, error }).toEqual({ ok: true, error: '' })
  return JSON.parse(out)
}

/** A stage that asks one question of every format. */
async function everything() {
  const here = study()
  const { owner, trial, make } = here
  await owner.put(`/trials/${trial}`, { name: 'Walking after surgery', protocolNumber: 'WAS-2026/04' })
  const ids: Record<string, Id> = {}
  for (const kind of kinds) ids[kind.code] = (await owner.post(`/trials/${trial}/data-types`, kind))._id
  const components = kinds.map(({ code, name }) => ({
    id: code,
    dataType: ids[code],
    title: `Question about ${name}`,
    ...(code === 'pulse' ? { isRequired: true, description: 'Count for a whole minute.' } : {}),
    ...(code === 'diary' ? { condition: { dataType: ids.smoker, operator: 'equal', value: 'Yes' } } : {}),
  }))
  const stage = await make({
    name: 'First visit',
    components: [{ id: 'top', type: 'title', title: 'About today' }, ...components],
  })
  return { ...here, ids, stage: stage._id as Id }
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
  for (const font of fonts) expect(font).toMatch(/NotoSans.*CID TrueType.*yes +\w+ +yes/) // embedded, and readable as text
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
  // Blank glyphs would leave the line of the first question white.
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

test('a blank Word form has the same content in real tables, with page fields', async () => {
  const here = await everything()
  const { url } = await here.owner.get(`/stages/${here.stage}?format=docx`)
  const { bytes, type } = await fileOf(here, url)
  expect(type).toContain('wordprocessingml')
  const text = await textOf(bytes)
  for (const [at, { name }] of kinds.entries()) expect(text).toContain(`${at + 1}. Question about ${name}`)
  expect(text).toContain('Only if “Question about Smoker” is “Yes” (question 11).')
  expect(text).toContain('○ Yes')
  expect(text).toContain('☐ Nausea')
  const parts = partsOf(bytes)
  const main = parts['word/document.xml']!
  expect(main).toContain('<w:tblHeader/>')
  expect(main).not.toContain('☒')
  // Word refuses measures that are not whole.
  for (const xml of Object.values(parts)) expect(xml).not.toMatch(/ w:(w|val|pos|left|before|hanging)="-?\d+\.\d+"/)
  const part = (kind: string) => Object.entries(parts).find(([name]) => name.startsWith(`word/${kind}`))![1]
  expect(part('footer')).toMatch(/PAGE<[\s\S]*NUMPAGES</)
  expect(part('footer')).toContain('Printed 2 March 2026')
  expect(part('header')).toContain('Protocol WAS-2026/04')
  const entries = here.db.select().from(auditEntries).all()
  expect(entries.filter(({ type }) => type === 'exportStructure')).toMatchObject([{ event: { format: 'docx' } }])
})

test('a filled Word form holds the answers, and logs whose they are', async () => {
  const here = await everything()
  const { owner, ids, stage, trial, db } = here
  const people = { participants: [{ participantId: 'P-007', password: 'correct horse' }] }
  const participant = (await owner.post(`/trials/${trial}/participants`, people)).participants[0]._id
  const answers = Object.fromEntries(Object.entries(goodAnswers).map(([code, value]) => [ids[code], { value }]))
  const stored = await owner.put(`/trials/${trial}/participants/${participant}/responses/${stage}`, {
    response: answers,
  })
  const { url } = await owner.get(`/stages/${stage}?format=docx&response=${stored._id}`)
  const text = await textOf((await fileOf(here, url)).bytes)
  for (const each of [
    'cough',
    '72',
    '5.4',
    '91.5 cm',
    '01 / 03 / 2026',
    '02 / 03 / 2026 07:15 (UTC)',
    '06:30',
    '● No',
    '○ Yes',
    '☒ Nausea ☐ Rash ☒ Fever ☐ None',
    'Calm ○ ○ ● ○ ○',
    'Cheerful ○ ○ ○ ○ ●',
    'Aspirin 100',
    'Height: 180 cm Weight: 81 kg BMI: 25 kg/m²',
    '144',
  ])
    expect(text).toContain(each)
  expect(text).not.toContain('Slept well') // not asked of whom does not smoke
  const [entry] = db
    .select()
    .from(auditEntries)
    .all()
    .filter(({ type }) => type === 'exportResponse')
  expect(entry).toMatchObject({ participant, event: { format: 'docx', stage, response: stored._id } })
  expect(JSON.stringify(entry)).not.toContain('cough')
  here.clock(HOUR + 1)
  expect((await here.fetch(url)).status).not.toBe(200)
})

test('a filled form shows what its reader may see, and says where it does not', async () => {
  const here = world()
  const of = rows(here)
  const open = of.field('pulse', { format: 'integer' })
  const restricted = of.field('hiv', { isRestricted: true })
  const pii = of.field('street', { isPii: true })
  const stage = of.stage('Visit', [open, restricted, pii])
  const [a, b] = [of.site('S-A'), of.site('S-B')]
  const anna = of.participant('P-1', { sites: [a] })
  const response = await of.submit(anna, stage, { [open]: 61, [restricted]: 'positive', [pii]: 'Elm Street' })
  const url = `/stages/${stage}?format=docx&response=${response}`
  const read = async (who: { get: (url: string) => Promise<{ url: string }> }) =>
    textOf((await fileOf(here, (await who.get(url)).url)).bytes)
  const seen = async (...words: string[]) => {
    const text = await read(here.staff(of.trial, words, a))
    return ['61', 'positive', 'Elm Street', 'Not shown in this copy.', 'p@example.org'].filter((each) =>
      text.includes(each),
    )
  }
  expect(await seen('site.readParticipantStudyData')).toEqual(['61', 'Not shown in this copy.'])
  expect(await seen('site.readParticipantStudyData', 'site.readParticipantStudyDataRestricted')).toEqual([
    '61',
    'positive',
    'Not shown in this copy.',
  ])
  expect(
    await seen(
      'site.readParticipantStudyData',
      'site.readParticipantStudyDataRestricted',
      'site.readParticipantStudyDataPii',
    ),
  ).toEqual(['61', 'positive', 'Elm Street'])
  expect((await here.staff(of.trial, ['site.readParticipantStudyData'], b).call('GET', url)).status).toBe(404)
  const refused = await here.staff(of.trial, ['trial.manageWallet']).call('GET', url)
  expect(refused.status).toBe(403)
  const refusals = here.db
    .select()
    .from(auditEntries)
    .all()
    .filter(({ type }) => type === 'accessRefused')
  expect(refusals).toHaveLength(1)
  const other = of.stage('Other', [open])
  expect((await here.owner.call('GET', `/stages/${other}?format=docx&response=${response}`)).status).toBe(404)
  expect((await here.owner.call('GET', `/stages/${stage}?format=docx&response=${unknown}`)).status).toBe(404)
})

test('a blank form needs no more than access to the trial; only Word is filled', async () => {
  const here = study()
  const { _id } = await here.make()
  expect((await here.staff(here.trial, ['trial.manageWallet']).call('GET', `/stages/${_id}?format=pdf`)).status).toBe(
    200,
  )
  expect((await here.invite([]).call('GET', `/stages/${_id}?format=pdf`)).status).toBe(404)
  for (const query of ['format=pdf&', 'format=odm&', '']) {
    const { status, body } = await here.owner.call('GET', `/stages/${_id}?${query}response=${unknown}`)
    expect([status, body.validations]).toEqual([422, { query: { response: ['Is filled in with format=docx only.'] } }])
  }
  expect((await here.owner.call('GET', `/stages/${_id}?format=doc`)).status).toBe(422)
  expect((await here.owner.call('GET', `/stages/${_id}?format=docx&response=1`)).status).toBe(422)
})
