/** Files with text that is not well-formed Unicode are refused, and the refusal names the place. */
import { expect, test } from 'bun:test'
import type { Source } from '#design/structures/model'
import { planIn } from '#exchange/generation/reader/plan'
import { textOf } from '#exchange/generation/text/extract'
import { readPlan } from '#exchange/imports/read'
import { withPart, zipped } from '../exchange/imports/archive'
import { bytes, dictionary, odmText, workbook } from '../exchange/imports/files'

const HALF = [0xed, 0xa0, 0xbd]

/** The bytes of a text, with half of a surrogate pair in place of `@`. */
const withHalf = (text: string) =>
  new Uint8Array(text.split('@').flatMap((part, n) => [...(n ? HALF : []), ...bytes(part)]))

const utf16 = (text: string) => new Uint8Array([0xff, 0xfe, ...Buffer.from(text, 'utf16le')])

const csv = dictionary([{ field_name: 'age' }, { field_name: 'note', field_label: 'Ärztin @ 😀' }])
const odm = (label: string) =>
  odmText({
    refs: '<ItemRef ItemOID="I" Mandatory="No"/>',
    items: `\n<ItemDef OID="I" Name="age" DataType="integer"><Question><TranslatedText>${label}</TranslatedText></Question></ItemDef>`,
  })
const survey = [
  ['type', 'name', 'label'],
  ['integer', 'age', 'Your age'],
  ['text', 'note', 'Mind \ud83d this'],
]
/** A workbook whose texts were changed. */
const edited = (change: (xml: string) => string) =>
  withPart(
    workbook({ survey: survey.map((row) => row.map((cell) => cell.toWellFormed())) }),
    'xl/worksheets/sheet1.xml',
    change,
  )

test.each<[string, Source, Uint8Array, RegExp]>([
  ['a csv with a half in UTF-8', 'redcap', withHalf(csv), /half of a surrogate pair \(line 3 after “.*Ärztin”\)/],
  ['a csv with a half in UTF-16', 'redcap', utf16(csv.replace('@', '\ud83d')), /half of a surrogate pair \(line 3\)/],
  ['a csv with NUL', 'redcap', bytes(csv.replace('@', '\0')), /bytes that are no text/],
  [
    'XML with a half in UTF-8',
    'odm',
    withHalf(odm('Your @ age')),
    /half of a surrogate pair \(line \d+ after “Your”\)/,
  ],
  [
    'XML with a reference to a half',
    'odm',
    bytes(odm('Your &#xD83D; age')),
    /&#xD83D; stands for no character \(line \d+ after “Your”\)/,
  ],
  ['XML with a decimal reference', 'odm', bytes(odm('Your &#55357; age')), /&#55357; stands for no character/],
  ['XML with a reference to NUL', 'odm', bytes(odm('Your &#0; age')), /&#0; stands for no character/],
  [
    'an old workbook',
    'xlsform',
    workbook({ survey }, 'xls'),
    /The sheet “survey”, row “text note”, column “label”: Is not well-formed/,
  ],
  [
    'a workbook with a reference to a half',
    'xlsform',
    edited((xml) => xml.replace('Your', 'Your &#xDC00;')),
    /&#xDC00; stands for no character \(xl\/worksheets\/sheet1\.xml, line \d+ after “.*Your”\)/,
  ],
  [
    'a workbook with an escaped half',
    'xlsform',
    edited((xml) => xml.replace('Your', 'Your _xD83D_')),
    /_xD83D_ is half of a surrogate pair \(xl\/worksheets\/sheet1\.xml after “.*Your”\)/,
  ],
  [
    'a note of our exports with an escaped half',
    'redcap',
    bytes(dictionary([{ field_name: 'age', field_annotation: '@TRIALBOX={"component":{"title":"a \\ud800"}}' }])),
    /The note {"component":{"title":"a \\ud800"}} cannot be used: component\.title: Is not well-formed Unicode/,
  ],
  [
    'a note of our exports with NUL',
    'xlsform',
    workbook({
      survey: [
        ['type', 'name', 'label', 'trialbox'],
        ['integer', 'age', 'Your age', '{"type":{"name":"a\\u0000"}}'],
      ],
    }),
    /cannot be used: type\.name: Must not hold the character NUL/,
  ],
])('%s', (_, source, file, problem) => {
  expect(() => readPlan(source, file)).toThrow(problem)
})

test('well-formed files are read as before', () => {
  expect(readPlan('redcap', utf16(csv)).dataTypes.at(-1)?.name).toContain('😀')
  expect(readPlan('odm', bytes(odm('&#x1F600; ok'))).stages[0]?.components[0]?.title).toBe('😀 ok')
  const read = readPlan(
    'xlsform',
    edited((xml) => xml.replace('Your', '😀 &amp; é &#x41;')),
  )
  expect(read.dataTypes[0]?.name).toBe('😀 & é A age')
  // Programs such as openpyxl write characters beyond ASCII so.
  const references = edited((xml) => xml.replace('Your', '&#x1F600; &#233;&#20013; &#146;'))
  expect(readPlan('xlsform', references).dataTypes[0]?.name).toBe('😀 é中 \u0092 age')
})

test('parts of a workbook whose text nobody reads refuse nothing', () => {
  for (const part of ['xl/theme/theme1.xml', 'docProps/custom.xml', 'xl/drawings/drawing1.xml']) {
    const file = withPart(workbook({ survey }), 'xl/worksheets/sheet1.xml', (xml) => xml)
    const odd = withPart(file, part, () => '<a name="&#xD83D; &#233;">_xD83D_</a>')
    expect(readPlan('xlsform', odd).dataTypes[0]?.name).toBe('Your age')
  }
})

const word = (text: string) =>
  zipped({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
  })

test('documents for a description name themselves and the place', async () => {
  expect(await textOf('a.docx', 'docx', word('Visit 1 &#x1F600;'))).toContain('Visit 1 😀')
  const refused: [string, 'docx' | 'txt' | 'csv' | 'xlsx', Uint8Array, RegExp][] = [
    [
      'a.docx',
      'docx',
      word('Visit 1 &#xD83D;'),
      /“a\.docx” cannot be read\. .*&#xD83D;.*word\/document\.xml, line 1 after “Visit 1”/,
    ],
    ['a.txt', 'txt', withHalf('Visit 1\n@'), /“a\.txt” cannot be read\. .*line 2/],
    ['a.csv', 'csv', withHalf('a,b\n1,x @'), /“a\.csv” cannot be read\. .*line 2 after “1,x”/],
    ['a.xlsx', 'xlsx', edited((xml) => xml.replace('Your', '&#xDC00;')), /“a\.xlsx” cannot be read\. .*sheet1/],
  ]
  for (const [name, kind, file, problem] of refused) {
    const message = await textOf(name, kind, file).catch((error: Error) => error.message)
    expect(message).toMatch(problem)
  }
})

test('a plan of an AI endpoint with half of a surrogate pair is not used', () => {
  const plan = { stages: [{ name: 'Form \ud83d', components: [] }], dataTypes: [], notes: [] }
  expect(planIn(plan)).toEqual({ problems: [expect.stringContaining('stages.0.name: Is not well-formed Unicode')] })
})
