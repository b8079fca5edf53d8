import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEntries, files, trials } from '#db/tables/index'
import { uploadPath } from '#storage/names'
import { study } from '../../design/stages/stages.study'
import { world } from '../../harness'
import { firstOf, present } from '../../present'
import { proof } from '../../proof'
import { expectStructure } from '../exports/odmStructure'

const header =
  'Variable / Field Name,Form Name,Section Header,Field Type,Field Label,"Choices, Calculations, OR Slider Labels",Field Note,Text Validation Type OR Show Slider Number,Text Validation Min,Text Validation Max,Identifier?,Branching Logic (Show field only if...),Required Field?,Custom Alignment,Question Number (surveys only),Matrix Group Name,Matrix Ranking?,Field Annotation'
const dictionary = `${header}
record_id,baseline,,text,Record ID,,,,,,,,,,,,,
sex,baseline,About you,radio,Sex,"1, Female | 2, Male",,,,,,,y,,,,,
pregnant,baseline,,yesno,Pregnant?,,,,,,,[sex] = '1',,,,,,
weight,follow_up,,text,Weight,,In kg,number,2,300,,,,,,,,@FORCE-MINMAX
double,follow_up,,calc,Twice,[weight] * 2,,,,,,,,,,,,
`
const content = { source: 'redcap', content: dictionary }
const importing = '?creationType=importFromExternalTool'

test('a dictionary becomes stages and data types; the response is the first stage', async () => {
  const { owner, url, trial, db } = study()
  const answer = await owner.post<'createStage'>(`${url}${importing}`, { importData: content })
  const { stages } = await owner.do('listStages', trial)
  expect(answer).toEqual({ ...firstOf(stages), stages: stages.map(({ _id }) => _id), warnings: [] })
  expect(stages.map(({ name }) => name)).toEqual(['Baseline', 'Follow up'])
  const { dataTypes } = await owner.do('listDataTypes', trial)
  const byCode = Object.fromEntries(dataTypes.map((each) => [each.code, each]))
  expect(byCode.sex).toMatchObject({
    format: 'choice',
    options: [
      { label: 'Female', code: '1' },
      { label: 'Male', code: '2' },
    ],
  })
  expect(byCode.weight).toMatchObject({ format: 'float', min: 2, max: 300 })
  expect(byCode.double).toMatchObject({ format: 'calculation', expression: 'weight * 2' })
  expect(firstOf(stages).components).toEqual([
    { id: 'record_id', dataType: byCode.record_id._id, title: 'Record ID' },
    { id: 'heading_1', type: 'title', title: 'About you' },
    { id: 'sex', dataType: byCode.sex._id, title: 'Sex', isRequired: true },
    {
      id: 'pregnant',
      dataType: byCode.pregnant._id,
      title: 'Pregnant?',
      condition: { dataType: byCode.sex._id, operator: 'equal', value: 'Female' },
    },
  ])
  const entry = db.select().from(auditEntries).where(eq(auditEntries.type, 'createStage')).get()
  expect(entry?.event).toMatchObject({ source: 'redcap', after: [{ name: 'Baseline' }, { name: 'Follow up' }] })
})

test('codes that the trial has already get other names, in calculations too; a stage can be inserted at an index', async () => {
  const { owner, url, trial, field, make } = study()
  await make()
  await field({ name: 'weight', format: 'text' })
  const answer = await owner.post<'createStage'>(`${url}${importing}`, {
    importData: content,
    index: 0,
    showProgressBar: true,
  })
  expect(answer.warnings).toEqual([
    { field: 'weight', problem: 'The trial has this code already; here it is weight_2.' },
  ])
  const { dataTypes } = await owner.do('listDataTypes', trial)
  expect(dataTypes.find((each) => each.code === 'double')?.expression).toBe('weight_2 * 2')
  const { stages } = await owner.do('listStages', trial)
  expect(stages.map(({ name, index, showProgressBar }) => [name, index, showProgressBar])).toEqual([
    ['Baseline', 0, true],
    ['Follow up', 1, true],
    ['Visit', 2, false],
  ])
})

test.each([
  ['of one form', 'baseline', ['it waits for itself (', 'it needs “a”, which is not computed here: [a] + 1']],
  ['of two forms', 'follow_up', ['it names “b”', 'it names “a”']],
])('calculations %s in a circle are imported with a warning', async (_, form, reasons) => {
  const { owner, url, trial } = study()
  const rows = `${header}\na,baseline,,calc,A,[b] + 1,,,,,,,,,,,,\nb,${form},,calc,B,[a] + 1,,,,,,,,,,,,\n`
  const { warnings } = await owner.post<'createStage'>(`${url}${importing}`, {
    importData: { source: 'redcap', content: rows },
  })
  expect(present(warnings).map(({ problem }) => problem)).toEqual(
    reasons.map((reason) =>
      expect.stringContaining(`It is not computed here but a hidden text that nobody is asked, as ${reason}`),
    ),
  )
  const { dataTypes } = await owner.do('listDataTypes', trial)
  expect(dataTypes.map(({ format }: { format: string }) => format)).toEqual(['text', 'text'])
})

test('an uploaded file is read by its stored name, and only in the trial it was uploaded for', async () => {
  const { owner, url, trial, makeTrial, service, db } = study()
  const other = makeTrial()
  const storedName = '0123456789abcdef01234567-0123456789abcdef0123456789abcdef.csv'
  await Bun.write(
    uploadPath(service.services.storage.files, storedName),
    `\ufeff${dictionary.replaceAll('\n', '\r\n')}`,
  )
  const row = { createdAt: 0, kind: 'upload' as const, createdBy: 'u', name: 'd.csv', type: 'text/csv' }
  db.insert(files)
    .values({ storedName, ...row, forType: 'trial', forId: trial, finishedAt: 1 })
    .run()
  const importData = { source: 'redcap', fileName: storedName }
  expect((await owner.post<'createStage'>(`${url}${importing}`, { importData })).stages).toHaveLength(2)
  const refused = await owner.call('POST', `/trials/${other}/stages${importing}`, { importData })
  expect(refused.status).toBe(400)
})

const refusals: [string, Record<string, unknown>, number, RegExp][] = [
  ['no importData', {}, 422, /importData/],
  ['an unknown source', { importData: { source: 'qualtrics', content: 'a' } }, 422, /importData/],
  ['a questionnaire', { importData: { source: 'redcap', questionnaireId: 'phq-9' } }, 422, /importData/],
  ['both file and content', { importData: { ...content, fileName: 'a' } }, 422, /importData/],
  ['neither file nor content', { importData: { source: 'redcap' } }, 422, /importData/],
  ['a copy too', { importData: content, copyFrom: '0'.repeat(24) }, 422, /copyFrom/],
  ['one name for two forms', { importData: content, name: 'Both' }, 422, /2 forms/],
  [
    'a wrong header',
    { importData: { source: 'redcap', content: 'a,b\n1,2\n' } },
    400,
    /not a REDCap data dictionary: its first line lacks the columns “Variable/,
  ],
  ['no text', { importData: { source: 'odm', content: 'hello' } }, 400, /no well-formed XML/],
  ['no base64', { importData: { source: 'xlsform', content: '<xml>' } }, 400, /base64/],
  [
    'no workbook',
    { importData: { source: 'xlsform', content: btoa('type,name,label') } },
    400,
    /not an Excel workbook/,
  ],
  ['an unknown file', { importData: { source: 'odm', fileName: 'nothing' } }, 400, /not a finished upload/],
  [
    'a note that makes no sense',
    {
      importData: {
        source: 'redcap',
        content: `${header}\na,f,,text,A,,,,,,,,,,,,,"@TRIALBOX={""type"":{""format"":""nothing""}}"\n`,
      },
    },
    422,
    /“a”: format/,
  ],
]
test.each(refusals)('refused: %s, and nothing is written', async (_, body, status, message) => {
  const { owner, url, trial } = study()
  const answer = await owner.call('POST', `${url}${importing}`, body)
  expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)])
  expect((await owner.do('listStages', trial)).stages).toEqual([])
  expect((await owner.do('listDataTypes', trial)).dataTypes).toEqual([])
})

test('an import that does not fit the trial writes nothing', async () => {
  const { owner, url, trial } = study()
  const broken = '"@TRIALBOX={""component"":{""condition"":{""dataType"":""none"",""operator"":""exists""}}}"'
  const text = `${dictionary}late,follow_up,,text,Late,,,,,,,,,,,,,${broken}\n`
  const answer = await owner.call('POST', `${url}${importing}`, { importData: { source: 'redcap', content: text } })
  expect(answer.status).toBe(422)
  expect((await owner.do('listStages', trial)).stages).toEqual([])
  expect((await owner.do('listDataTypes', trial)).dataTypes).toEqual([])
})

test('importData needs its creationType; a locked trial and a reader are refused', async () => {
  const { owner, url, trial, db, staff } = study()
  expect((await owner.call('POST', url, { name: 'Visit', importData: content })).status).toBe(422)
  expect((await staff(trial, ['trial.read']).call('POST', `${url}${importing}`, { importData: content })).status).toBe(
    403,
  )
  db.update(trials).set({ isLocked: true }).where(eq(trials._id, trial)).run()
  expect((await owner.call('POST', `${url}${importing}`, { importData: content })).status).toBe(403)
  db.update(trials).set({ isLocked: false }).where(eq(trials._id, trial)).run()
  expect((await owner.do('listStages', trial)).stages).toEqual([])
})

/** The fields of a trial's stages and data types that an import creates. */
async function madeOf(person: ReturnType<typeof study>['owner'], trial: string) {
  const { dataTypes } = await person.do('listDataTypes', trial)
  const codes = new Map(dataTypes.map(({ _id, code }) => [_id, code]))
  const { stages } = await person.do('listStages', trial)
  const text = JSON.stringify(stages.map(({ _id, trial, createdAt, ...stage }: Record<string, unknown>) => stage))
  return {
    dataTypes: dataTypes.map(({ _id, trial, createdAt, ...rest }: Record<string, unknown>) => rest),
    stages: JSON.parse(text.replace(/[0-9a-f]{24}/g, (id) => (codes.get(id) as string) ?? id)),
  }
}

test.each(['redcap', 'xlsform', 'odm'])('a study exported as %s and imported again is the same', async (format) => {
  const at = study()
  const { owner, url, trial, makeTrial, fetch } = at
  await owner.post<'createStage'>(`${url}${importing}`, { importData: content })
  const first = firstOf((await owner.do('listStages', trial)).stages)
  await owner.do('updateStage', first._id, {
    adHoc: true,
    components: first.components?.map((component) =>
      component.id === 'sex'
        ? { ...component, scoringRules: [{ id: 's', points: 2, operator: 'equal', value: 'Male' }] }
        : component,
    ),
    onSubmitRules: [
      {
        id: 'r',
        conditions: [{ id: 'c', operator: 'more', scoreThreshold: 1 }],
        actions: [{ id: 'a', type: 'notifyTeam' }],
      },
    ],
  })
  const { url: link, warnings } = await owner.do('exportStructure', trial, { format })
  expect(warnings).toContainEqual({ field: 'sex', problem: 'Other tools will not know: scoringRules.' })
  const file = await fetch(link)
  expect(file.status).toBe(200)
  const bytes = Buffer.from(await file.arrayBuffer())
  if (format === 'odm') {
    expectStructure(bytes.toString(), '1.3.2')
    expect(bytes.toString()).not.toMatch(/ClinicalData|AdminData/)
  }
  const other = makeTrial()
  const importData = { source: format, content: bytes.toString(format === 'xlsform' ? 'base64' : 'utf8') }
  await owner.post<'createStage'>(`/trials/${other}/stages${importing}`, { importData })
  expect(await madeOf(owner, other)).toEqual(await madeOf(owner, trial))
})

test.each(['redcap', 'xlsform', 'odm'] as const)(
  'a trial without stages is exported as %s without forms',
  async (format) => {
    const { owner, team, fetch } = world()
    const { _id } = await owner.do('createTrial', team, { name: 'Nothing yet' })
    const { url, warnings } = await owner.do('exportStructure', _id, { format })
    expect(warnings).toEqual([])
    expect((await fetch(url)).status).toBe(200)
  },
)

test('one stage is exported alone, logged, with trial.read only', async () => {
  const { owner, url, db, trial, staff, fetch, site } = study()
  const { _id } = await owner.post<'createStage'>(`${url}${importing}`, { importData: content })
  const { url: link } = await owner.do('readStage', _id, { format: 'redcap' })
  const text = await (await fetch(link)).text()
  expect(
    text
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]),
  ).toEqual(['record_id', 'sex', 'pregnant', ''])
  expect(db.select().from(auditEntries).where(eq(auditEntries.type, 'exportStructure')).all()).toHaveLength(1)
  const outsider = staff(trial, ['trial.manageWallet'])
  expect((await outsider.call('GET', `/stages/${_id}?format=odm`)).status).toBe(403)
  expect((await outsider.call('GET', `/trials/${trial}/structure?format=odm`)).status).toBe(403)
  expect((await outsider.call('GET', `/stages/${_id}`)).status).toBe(200)
  expect((await staff(trial, ['site.read'], site()).call('GET', `/stages/${_id}?format=odm`)).status).toBe(200)
  expect((await owner.call('GET', `/stages/${_id}?format=pdfx`)).status).toBe(422)
})

proof(
  'a dictionary of several thousand fields is imported completely',
  async () => {
    const { owner, url, trial } = study()
    const label = 'lorem ipsum '.repeat(50)
    const rows = Array.from(
      { length: 5_000 },
      (_, n) => `f${n},form_${Math.floor(n / 500)},,text,${label},,,,,,,${n % 500 ? `[f${n - 1}] <> ''` : ''},,,,,,`,
    )
    const text = [header, ...rows].join('\r\n')
    expect(text.length).toBeGreaterThan(3_000_000)
    const answer = await owner.post<'createStage'>(`${url}${importing}`, {
      importData: { source: 'redcap', content: text },
    })
    expect(answer.stages).toHaveLength(10)
    expect(answer.components).toHaveLength(500)
    expect((await owner.do('listDataTypes', trial)).dataTypes).toHaveLength(5_000)
    const { url: link } = await owner.do('exportStructure', trial, { format: 'redcap' })
    expect(link).toContain('.csv')
  },
  180_000,
)
