import { expect, test } from 'bun:test'
import type { Source } from '#design/structures/model'
import { readPlan } from '#exchange/imports/read'
import { isUnreadable } from '#kernel/fault'
import { zipTo } from '#writers/zip'
import { bytes, dictionary, odmText, redcap, typeIn, workbook } from './files'

/** A zip archive in memory. */
async function zip(files: Record<string, Iterable<string>>): Promise<Uint8Array> {
  let content = Buffer.alloc(0)
  const output = {
    write: (more: Uint8Array) => void (content = Buffer.concat([content, more])),
    patch: (more: Uint8Array, at: number) => void content.set(more, at),
    size: () => content.length,
  }
  const archive = zipTo(output)
  for (const [name, texts] of Object.entries(files)) {
    const part = archive.part(name)
    for (const text of texts) await part.write(text)
    await part.end()
  }
  archive.end()
  return content
}

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const row = { field_name: 'a', field_label: 'Größe,\r\n"cm"' }
const plain = dictionary([row])
const survey = [
  ['type', 'name', 'label'],
  ['text', 'a', 'A'],
]
const item = { refs: '<ItemRef ItemOID="a" Mandatory="No"/>', items: '<ItemDef OID="a" Name="a" DataType="text"/>' }

const good: [string, Source, () => Uint8Array | Promise<Uint8Array>, string][] = [
  ['a byte order mark and CRLF', 'redcap', () => bytes(`\ufeff${dictionary([row], '\r\n')}`), 'Größe,\n"cm"'],
  ['blank rows, and rows of commas', 'redcap', () => bytes(`\n${plain}\n,,,,\n\n`), 'Größe,\n"cm"'],
  [
    'semicolons, after Excel',
    'redcap',
    () => bytes('Variable / Field Name;Form Name;Field Type;Field Label\na;f;text;"A; B"\n'),
    'A; B',
  ],
  [
    'tabs',
    'redcap',
    () => bytes('Variable / Field Name\tForm Name\tField Type\tField Label\na\tf\ttext\tA, B\n'),
    'A, B',
  ],
  ['the headings of the API', 'redcap', () => bytes('field_name,form_name,field_type,field_label\na,f,text,A\n'), 'A'],
  ['UTF-16', 'redcap', () => utf16(plain), 'Größe,\n"cm"'],
  ['Windows-1252', 'redcap', () => Buffer.from(plain, 'latin1'), 'Größe,\n"cm"'],
  [
    'HTML',
    'redcap',
    () =>
      bytes(
        dictionary([
          { field_name: 'a', field_label: '<div class="rich"><p>A&nbsp;&lt;b&gt;</p><script>x()</script></div>' },
        ]),
      ),
    'A <b>',
  ],
  ['an instrument archive', 'redcap', () => zip({ 'OriginID.txt': ['x'], 'instrument.csv': [plain] }), 'Größe,\n"cm"'],
  ['an .xls', 'xlsform', () => workbook({ survey }, 'xls'), 'A'],
  ['sheets with other names’ case', 'xlsform', () => workbook({ Survey: survey, CHOICES: [[]] }), 'A'],
  ['an ODM with a byte order mark', 'odm', () => bytes(`\ufeff${odmText(item)}`), 'A'],
  [
    'an ODM with prefixes',
    'odm',
    () =>
      bytes(
        odmText(item)
          .replace(/<(\/?)([A-Z])/g, '<$1odm:$2')
          .replace('xmlns=', 'xmlns:odm='),
      ),
    'A',
  ],
]
test.each(good)('%s is read (%s)', async (_, source, content, title) => {
  const plan = readPlan(source, await content())
  expect(plan.stages[0]!.components.map((component) => [component.dataType, component.title])).toEqual([['a', title]])
})

function* much(text: string, megabytes: number) {
  const piece = text.repeat((1 << 20) / text.length)
  for (let n = 0; n < megabytes; n++) yield piece
}

const laughs = '<!DOCTYPE ODM [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><ODM>&b;</ODM>'

const refused: [string, Source, () => Uint8Array | Promise<Uint8Array>, RegExp][] = [
  ['an empty file', 'redcap', () => new Uint8Array(), /is empty/],
  ['only a header', 'redcap', () => bytes(dictionary([])), /has no fields/],
  [
    'a wrong header',
    'redcap',
    () => bytes('id;name\n1;Anna\n'),
    /lacks the columns “Variable \/ Field Name”, “Form Name”/,
  ],
  ['a quote that never ends', 'redcap', () => bytes(`${plain}"b,f,text`), /cannot be read as comma-separated values/],
  ['an image', 'redcap', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /bytes that are no text/],
  ['a workbook', 'redcap', () => workbook({ survey }), /holds no instrument\.csv/],
  ['an archive cut short', 'redcap', async () => (await zip({ 'instrument.csv': [plain] })).slice(0, -30), /damaged/],
  [
    'an archive that fills the memory',
    'redcap',
    () => zip({ 'instrument.csv': much('a', 80) }),
    /too large once unpacked/,
  ],
  [
    'a workbook that fills the memory',
    'xlsform',
    () => zip({ 'xl/worksheets/sheet1.xml': much('a', 80) }),
    /too large once unpacked/,
  ],
  ['an archive that is no workbook', 'xlsform', () => zip({ 'a.txt': ['a'] }), /damaged|no sheet/],
  ['a web page named .xlsx', 'xlsform', () => bytes('<html><table></table></html>'), /not an Excel workbook/],
  ['a workbook without a survey', 'xlsform', () => workbook({ Data: [['x']] }), /no sheet “survey”, only “Data”/],
  [
    'a survey without names',
    'xlsform',
    () =>
      workbook({
        survey: [
          ['type', 'label'],
          ['text', 'A'],
        ],
      }),
    /lacks the column “name”/,
  ],
  [
    'a survey of a title row',
    'xlsform',
    () => workbook({ survey: [['My form'], ['type', 'name'], ['text', 'a']] }),
    /lacks the column “type” and “name”/,
  ],
  [
    'a survey without questions',
    'xlsform',
    () =>
      workbook({
        survey: [
          ['type', 'name', 'label'],
          ['end', 'e', ''],
        ],
      }),
    /no form/,
  ],
  [
    'too many rows',
    'xlsform',
    () => workbook({ survey: [['type', 'name'], ...Array.from({ length: 50_001 }, () => ['text', 'a'])] }),
    /more than 50000 rows/,
  ],
  ['no XML', 'odm', () => bytes('a,b'), /no well-formed XML/],
  [
    'XML nested deeply',
    'odm',
    () => bytes('<a>'.repeat(200_000)),
    /^The elements of the XML file are nested too deeply\.$/,
  ],
  ['XML cut short', 'odm', () => bytes(odmText(item).slice(0, -20)), /no well-formed XML/],
  ['entities that grow', 'odm', () => bytes(laughs), /document type declaration/],
  ['elements without end', 'odm', () => bytes(`${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`), /XML/],
  ['another XML', 'odm', () => bytes('<html/>'), /not a CDISC ODM file/],
  ['ODM 3', 'odm', () => bytes(odmText(item).replace('1.3.2', '3.0')), /ODM 3\.0 cannot be read/],
  ['clinical data only', 'odm', () => bytes('<ODM ODMVersion="1.3"><ClinicalData/></ODM>'), /describes no forms/],
]
test.each(refused)('%s is refused with a message (%s)', async (_, source, content, message) => {
  const file = await content()
  let problem: unknown
  try {
    readPlan(source, file)
  } catch (error) {
    problem = error
  }
  expect(isUnreadable(problem)).toBe(true)
  expect((problem as Error).message).toMatch(message)
})

test.each([
  ['brackets 10,000 deep', `${'('.repeat(10_000)}1${')'.repeat(10_000)}`],
  ['a rule of 300,000 characters', `[b] = '1'${" or [b] = '1'".repeat(25_000)}`],
  ['a sum of 2,000 parts', `${'1+'.repeat(2_000)}1 > 2`],
  ['nots without end', `${'not '.repeat(2_000)}[b] = '1'`],
])('logic of %s loses its condition, and is imported otherwise', (_, branching_logic) => {
  const plan = redcap([{ field_name: 'b' }, { field_name: 'a', branching_logic }])
  expect(plan.dataTypes.map(({ code }) => code)).toEqual(expect.arrayContaining(['a', 'b']))
  expect(plan.warnings.map(({ field }) => field)).toContain('a')
})

test('reserved, equal and too long names get codes of their own', () => {
  const long = 'x'.repeat(40)
  const plan = redcap(
    ['process', '__proto__', long, `${long}y`, '1st', 'A', 'a', 'größe'].map((field_name) => ({ field_name })),
  )
  expect(plan.dataTypes.map(({ code }) => code)).toEqual([
    'process',
    'proto',
    long.slice(0, 32),
    `${long.slice(0, 30)}_2`,
    'v_1st',
    'A',
    'a_2',
    'grosse',
  ])
})

test('a dictionary of 5,000 fields, 600 rules and a cell of 300,000 characters needs little memory', () => {
  const label = `<p>${'lorem ipsum <b>dolor</b> &amp; '.repeat(20)}</p>\r\n"quoted"`
  const rows = Array.from({ length: 5_000 }, (_, n) => ({
    field_name: `f${n}`,
    form_name: `form_${Math.floor(n / 50)}`,
    field_type: 'radio',
    field_label: n === 2_500 ? 'word '.repeat(60_000) : label,
    select_choices_or_calculations: '1, Yes | 2, No | 9, Unknown',
    branching_logic: n % 50 > 1 && n % 8 === 0 ? `[f${n - 1}] = '1' and ([f${n - 2}] = '2' or [f${n - 2}] = '')` : '',
  }))
  const file = bytes(dictionary(rows))
  expect(file.length).toBeGreaterThan(3_600_000)
  Bun.gc(true)
  const before = process.memoryUsage().rss
  const plan = readPlan('redcap', file)
  expect(process.memoryUsage().rss - before).toBeLessThan(300 << 20)
  expect(plan.stages).toHaveLength(100)
  expect(plan.dataTypes.filter(({ format }) => format === 'choice')).toHaveLength(5_000)
  expect(plan.dataTypes.filter(({ format }) => format === 'calculation').length).toBeGreaterThan(550)
  expect(typeIn(plan, 'f2500').name).toHaveLength(199)
  expect(plan.warnings).toContainEqual({ field: 'f2500', problem: 'Its text was cut from 299999 to 2000 characters.' })
})

test('a row of a dictionary with more cells than headings is refused: its texts would be in the wrong columns', () => {
  const text = dictionary([{ field_name: 'age', field_label: 'LABEL' }])
  expect(() => readPlan('redcap', bytes(text.replace('LABEL', 'Age, in years')))).toThrow(
    'The row of “age” has more cells than the first line',
  )
})

test('an XML file is read in the encoding that it declares', () => {
  const text = odmText({
    refs: '<ItemRef ItemOID="i" Mandatory="No"/>',
    items: '<ItemDef OID="i" Name="TITLE" DataType="text"/>',
  }).replace(/^<\?xml.*?\?>\s*/, '')
  const cyrillic = (encoding: string) =>
    Buffer.concat([
      Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>${text.split('TITLE')[0]}`, 'latin1'),
      Buffer.from([0xc2, 0xe5, 0xf1]),
      Buffer.from(text.split('TITLE')[1] ?? '', 'latin1'),
    ])
  const plan = readPlan('odm', cyrillic('windows-1251'))
  expect([plan.dataTypes.map(({ name }) => name), plan.warnings]).toEqual([['Вес'], []])
  // One that is not known is guessed, with a warning.
  expect(readPlan('odm', cyrillic('x-own')).warnings[0]?.problem).toContain('Windows-1252')
})
