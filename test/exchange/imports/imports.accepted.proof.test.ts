// biome-ignore-all lint/suspicious/noTemplateCurlyInString: XLSForms name fields by ${name}
/** Files that are imported by HTTP and must not be refused for what their tool allows. */
import { expect, test } from 'bun:test'
import { read, write } from 'xlsx'
import { study as empty } from '../../design/stages/stages.study'
import { atLeastOne, firstOf, present } from '../../present'
import { bytes, dictionary, odmText, workbook } from './files'

const importing = '?creationType=importFromExternalTool'

type Rows = (string | null)[][]
const form = (survey: Rows, header: Rows[number] = ['type', 'name', 'label', 'relevant']) =>
  Buffer.from(workbook({ survey: [header, ...survey] })).toString('base64')

test('notes and groups whose condition cannot be used are shown to nobody, come first in the warnings, and are exported again', async () => {
  const { owner, url, nobody, trial, person, fetch, makeTrial } = empty()
  const password = 'correct horse'
  await owner.do('registerParticipants', trial, { participants: [{ participantId: 'P-1', password }] })
  const { code } = await owner.do('readTrial', trial)
  const { token } = await nobody.do('signInParticipant', { trialCode: code, participantId: 'P-1', password })
  const participant = person({ Authorization: `Bearer ${token}` })
  const content = form([
    ['text', 'mail', 'Your e-mail address', null],
    ['note', 'thanks', 'You entered an e-mail address', 'position(..) = 2'],
    ['begin group', 'g', 'Only sometimes', 'position(..) = 3'],
    ['text', 'inside', 'Inside', null],
    ['end group', null, null, null],
    ['note', 'bye', 'Goodbye', null],
  ])
  const answer = await owner.post<'createStage'>(`${url}${importing}`, { importData: { source: 'xlsform', content } })
  expect(present(answer.components).map(({ title, isHidden = false }) => [title, isHidden])).toEqual([
    ['Your e-mail address', false],
    ['You entered an e-mail address', true],
    ['Only sometimes', true],
    ['Inside', true],
    ['Goodbye', false],
  ])
  const why = (text: number) =>
    `It is not asked, as its condition cannot be used here, since “..) = ${text}” cannot be read: position(..) = ${text}`
  expect(present(answer.warnings).slice(0, 2)).toEqual([
    { field: 'thanks', problem: why(2) },
    { field: 'g', problem: why(3) },
  ])
  const told = await participant.do('openStage', trial, answer._id)
  expect(told.components.map(({ title }) => title)).toEqual(['Your e-mail address', 'Goodbye'])
  const shape = (components: typeof answer.components) =>
    present(components).map(({ title, isHidden, type }) => ({ title, isHidden, type }))
  for (const source of ['xlsform', 'redcap', 'odm'] as const) {
    const { url: link } = await owner.do('readStage', answer._id, { format: source })
    const file = Buffer.from(await (await fetch(link)).bytes())
    const importData = { source, content: file.toString(source === 'xlsform' ? 'base64' : 'utf8') }
    const back = await owner.post<'createStage'>(`/trials/${makeTrial()}/stages${importing}`, { importData })
    expect(shape(back.components)).toEqual(shape(answer.components))
  }
})

test('only a notification cannot be hidden', async () => {
  const { owner, url, trial } = empty()
  const of = (type: string) => ({
    name: 'Visit',
    components: [{ id: 'a', type, title: 'T', isHidden: true, notificationTitle: 'T' }],
  })
  expect(firstOf((await owner.do('createStage', trial, of('title'))).components).isHidden).toBe(true)
  expect(firstOf((await owner.do('createStage', trial, of('sectionDivider'))).components).isHidden).toBe(true)
  const refused = await owner.call('POST', url, of('scheduledNotification'))
  expect([refused.status, refused.body.details.fields.components]).toEqual([
    422,
    '“T”: A notification cannot be hidden.',
  ])
})

const label = 'How do you feel?\nThink of today\u0085only.'
test.each([
  ['redcap', dictionary([{ field_name: 'feel', field_label: label }])],
  ['redcap', dictionary([{ field_name: 'feel', field_label: 'How do you feel?<br/>Think of today<p>only.</p>' }])],
  ['xlsform', form([['text', 'feel', label, null]])],
  [
    'odm',
    odmText({
      refs: '<ItemRef ItemOID="feel" Mandatory="No"/>',
      items: `<ItemDef OID="feel" Name="feel" DataType="text"><Question><TranslatedText>${label}</TranslatedText></Question></ItemDef>`,
    }),
  ],
  [
    'redcap',
    dictionary([
      { field_name: 'feel', field_annotation: '@TRIALBOX={"type":{"name":"How do you feel?\\nThink of today only."}}' },
    ]),
  ],
])(
  'a question of several lines is imported from %s; the name of its data type is one line',
  async (source, content) => {
    const { owner, url, trial } = empty()
    await owner.post<'createStage'>(`${url}${importing}`, { importData: { source, content } })
    const { dataTypes } = await owner.do('listDataTypes', trial)
    expect(firstOf(atLeastOne(dataTypes)).name).toMatch(/^How do you feel\? Think of today ?only\.$/)
  },
)

test('the XML of a REDCap project that is sent as a dictionary is refused with the right source', async () => {
  const { owner, url } = empty()
  const content = odmText({})
  expect(bytes(content).length).toBeGreaterThan(0)
  const refused = await owner.call('POST', `${url}${importing}`, { importData: { source: 'redcap', content } })
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'This is XML, no REDCap data dictionary: import the XML of a REDCap project with the source “odm”.',
  ])
})

/** A workbook whose sheet “survey” has these cells in its second and third row, as programs other than Excel write them. */
function cells(...changes: [string, object][]): string {
  const file = workbook({
    survey: [
      ['type', 'name', 'label', 'relevant'],
      ['text', 'a', 'A', null],
      ['text', 'b', 'B', null],
    ],
  })
  const book = read(file, { type: 'array' })
  for (const [address, cell] of changes) present(book.Sheets.survey)[address] = cell
  return Buffer.from(write(book, { type: 'buffer', bookType: 'xlsx' })).toString('base64')
}

test('a formula without its result is refused with its cell', async () => {
  const { owner, url } = empty()
  // A text without characters is what such a cell looks like when it is read.
  const bare = cells(['D3', { t: 'z', f: 'IF(TRUE,"${a} = 1","")' }])
  const refused = await owner.call('POST', `${url}${importing}`, { importData: { source: 'xlsform', content: bare } })
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'The cell D3 of the sheet “survey” has a formula without its result: open the workbook in a spreadsheet program, save it, and try again.',
  ])
})

test('a cell with a day is read as the day, one with an error is no blank: the question is asked of nobody', async () => {
  const { owner, url } = empty()
  const content = cells(['C2', { t: 'n', v: 45688, z: 'dd/mm/yyyy' }], ['D3', { t: 'e', v: 23 }])
  const answer = await owner.post<'createStage'>(`${url}${importing}`, { importData: { source: 'xlsform', content } })
  expect(present(answer.components).map(({ title, isHidden = false }) => [title, isHidden])).toEqual([
    ['2025-01-31', false],
    ['B', true],
  ])
  expect(firstOf(answer.warnings).problem).toEndWith(': #REF!')
})
