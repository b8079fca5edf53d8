import { expect, test } from 'bun:test'
import { readPlan } from '#exchange/imports/read'
import { askedIn, bytes, odm, odmText, typeIn } from '../files'

const text = (words: string, language = 'en') => `<TranslatedText xml:lang="${language}">${words}</TranslatedText>`
const item = (attributes: string, inner = '') =>
  `<ItemDef OID="a" Name="a" ${attributes}><Question>${text('A?')}</Question>${inner}</ItemDef>`
const ref = '<ItemRef ItemOID="a" Mandatory="No"/>'
const range = (comparator: string, value: string, kind = 'Hard') =>
  `<RangeCheck Comparator="${comparator}" SoftHard="${kind}"><CheckValue>${value}</CheckValue></RangeCheck>`
const list = `<CodeList OID="L" Name="L" DataType="text"><CodeListItem CodedValue="2" OrderNumber="2"><Decode>${text('Two')}</Decode></CodeListItem><CodeListItem CodedValue="1" OrderNumber="1"><Decode>${text('One')}</Decode></CodeListItem></CodeList>`

const fields: [string, string, object][] = [
  ['text', item('DataType="text" Length="40"'), { format: 'text', maxLength: 40 }],
  ['a long text', item('DataType="text" Length="4000"'), { format: 'paragraph', maxLength: 4000 }],
  [
    'an integer in a range',
    item('DataType="integer"', range('GT', '0') + range('LE', '9')),
    { format: 'integer', min: 1, max: 9 },
  ],
  [
    'a float with a unit',
    item('DataType="float" SignificantDigits="2"', '<MeasurementUnitRef MeasurementUnitOID="kg"/>'),
    { format: 'float', decimals: 2, unit: 'kg' },
  ],
  ['a date', item('DataType="date"', range('GE', '2020-01-01')), { format: 'date', min: '2020-01-01' }],
  ['a moment', item('DataType="datetime"'), { format: 'datetime' }],
  [
    'yes or no',
    item('DataType="boolean"'),
    {
      format: 'choice',
      options: [
        { label: 'Yes', code: '1' },
        { label: 'No', code: '0' },
      ],
    },
  ],
  [
    'choices in their order',
    item('DataType="text"', '<CodeListRef CodeListOID="L"/>'),
    {
      format: 'choice',
      options: [
        { label: 'One', code: '1' },
        { label: 'Two', code: '2' },
      ],
    },
  ],
]
test.each(fields)('%s', (_, items, expected) => {
  const plan = odm({ refs: ref, items, more: list })
  expect(plan).toEqual({
    stages: [{ name: 'Visit', components: [{ id: 'a', dataType: 'a', title: 'A?' }] }],
    dataTypes: [{ name: 'A?', code: 'a', ...expected } as never],
    warnings: [],
  })
})

test.each([
  ['a check of a list', item('DataType="integer"', range('IN', '1')), /IN 1 was left out/],
  ['an unknown type', item('DataType="partialDate"'), /“partialdate” is not known/],
  [
    'a code list that is not there',
    item('DataType="text"', '<CodeListRef CodeListOID="none"/>'),
    /code list none has no entries/,
  ],
  ['an alias', item('DataType="text"', '<Alias Context="SDTM" Name="DM.AGE"/>'), /Aliases are not carried over/],
  [
    'another language',
    item('DataType="text"', `<Description>${text('Erklärung', 'x-old')}</Description>`),
    /another language/,
  ],
  ['an item that is not there', '', /does not define this item/],
])('reported in a warning: %s', (_, items, problem) => {
  const plan = odm({
    refs: `${ref}<ItemRef ItemOID="b" Mandatory="No"/>`,
    items: `${items}<ItemDef OID="b" Name="b" DataType="text"/>`,
  })
  expect(plan.warnings.map((warning) => warning.problem).join('\n')).toMatch(problem)
})

test('a soft check is a soft rule', () => {
  const plan = odm({ refs: ref, items: item('DataType="float"', range('GT', '1', 'Soft') + range('LE', '9', 'Soft')) })
  expect(askedIn(plan, 'a').constraint).toEqual({
    expression: 'a > 1 and a <= 9',
    message: 'the answer is usually more than 1 and at most 9.',
    isSoft: true,
  })
  expect(typeIn(plan, 'a')).toEqual({ name: 'A?', code: 'a', format: 'float' })
  expect(plan.warnings).toEqual([])
})

test('exceptions become conditions, methods calculations, and mandatory items required fields', () => {
  const plan = odm({
    refs: `<ItemRef ItemOID="I.1" Mandatory="Yes"/><ItemRef ItemOID="I-2" Mandatory="No" CollectionExceptionConditionOID="C"/><ItemRef ItemOID="bmi" Mandatory="No" MethodOID="M"/>`,
    items: `<ItemDef OID="I.1" Name="Weight" DataType="float"/><ItemDef OID="I-2" Name="Height" DataType="float"/><ItemDef OID="bmi" Name="BMI" DataType="float"/>`,
    more: `<ConditionDef OID="C" Name="C"><FormalExpression Context="x">!(I.1 &gt; 3)</FormalExpression></ConditionDef>
      <MethodDef OID="M" Name="M" Type="Computation"><FormalExpression>G-I.1 / I-2 ^ 2</FormalExpression></MethodDef>`,
  })
  expect(askedIn(plan, 'Weight').isRequired).toBe(true)
  expect(askedIn(plan, 'Height').condition).toEqual({ dataType: 'weight', operator: 'more', value: 3 })
  expect(typeIn(plan, 'bmi')).toMatchObject({ format: 'calculation', expression: 'Weight / Height ^ 2' })
  expect(plan.warnings).toEqual([])
})

test('a form becomes a stage for each event that has it, with the same data types; repeating forms are ad hoc', () => {
  const plan = odm({
    refs: ref,
    items: item('DataType="text"'),
    events: `<Protocol><StudyEventRef StudyEventOID="E2" OrderNumber="2"/><StudyEventRef StudyEventOID="E1" OrderNumber="1"/></Protocol>
      <StudyEventDef OID="E1" Name="Baseline" Repeating="No"><FormRef FormOID="F"/></StudyEventDef>
      <StudyEventDef OID="E2" Name="Unscheduled" Repeating="Yes"><FormRef FormOID="F"/></StudyEventDef>`,
  })
  expect(plan.stages.map(({ name, adHoc }) => [name, adHoc])).toEqual([
    ['Baseline: Visit', undefined],
    ['Unscheduled: Visit', true],
  ])
  expect(plan.dataTypes).toHaveLength(1)
  expect(plan.warnings).toEqual([{ field: 'F', problem: expect.stringContaining('ad hoc') }])
})

test('a repeating group is a table', () => {
  const plan = odm({
    form: '<ItemGroupRef ItemGroupOID="T" Mandatory="No"/>',
    items: item('DataType="integer"'),
    more: `<ItemGroupDef OID="T" Name="doses" Repeating="Yes"><Description>${text('Doses')}</Description>${ref}</ItemGroupDef>`,
  })
  expect(typeIn(plan, 'doses')).toEqual({
    name: 'Doses',
    code: 'doses',
    format: 'table',
    columns: [{ id: 'a', label: 'A?', format: 'integer' }],
  })
})

test('options with a missing data code of REDCap say why there is no answer', () => {
  const plan = readPlan(
    'odm',
    bytes(
      odmText({
        refs: '<ItemRef ItemOID="sex" Mandatory="No"/>',
        items: `<ItemDef OID="sex" Name="sex" DataType="text" redcap:Variable="sex" redcap:FieldType="radio"><Question>${text('Sex')}</Question><CodeListRef CodeListOID="M"/></ItemDef>`,
        more: `<CodeList OID="M" Name="sex" DataType="text"><CodeListItem CodedValue="1"><Decode>${text('Male')}</Decode></CodeListItem><CodeListItem CodedValue="UNK"><Decode>${text('Unknown')}</Decode></CodeListItem></CodeList>`,
      })
        .replace('<ODM ', '<ODM xmlns:redcap="https://projectredcap.org" ')
        .replace('<FormDef OID="F"', '<FormDef redcap:FormName="visit" OID="F"')
        .replace(
          /<Study([^>]*)>/,
          '<Study$1><GlobalVariables><redcap:MissingDataCodes>UNK, Unknown | -99, Not asked</redcap:MissingDataCodes></GlobalVariables>',
        ),
    ),
  )
  expect(typeIn(plan, 'sex').options).toEqual([
    { label: 'Male', code: '1' },
    { label: 'Unknown', code: 'UNK', missing: true },
  ])
  expect(plan.warnings).toEqual([
    { field: 'MissingDataCodes', problem: expect.stringContaining('those with unk, -99 are marked') },
  ])
})

test('REDCap’s own ODM is read by the rules of its dictionary', () => {
  const redcapOdm = odmText({
    refs: '<ItemRef ItemOID="sex" Mandatory="No"/><ItemRef ItemOID="why" Mandatory="No"/><ItemRef ItemOID="race___1" Mandatory="No"/><ItemRef ItemOID="race___2" Mandatory="No"/><ItemRef ItemOID="visit_complete" Mandatory="No"/>',
    items: `<ItemDef OID="sex" Name="sex" DataType="text" redcap:Variable="sex" redcap:FieldType="radio" redcap:RequiredField="y" redcap:SectionHeader="About you"><Question>${text('Sex')}</Question><CodeListRef CodeListOID="L"/></ItemDef>
      <ItemDef OID="why" Name="why" DataType="text" redcap:Variable="why" redcap:FieldType="text" redcap:Identifier="y" redcap:BranchingLogic="[sex] = '1'"><Question>${text('Why')}</Question></ItemDef>
      <ItemDef OID="race___1" Name="race___1" DataType="boolean" redcap:Variable="race" redcap:FieldType="checkbox"><Question>${text('Race')}</Question><CodeListRef CodeListOID="R1"/></ItemDef>
      <ItemDef OID="race___2" Name="race___2" DataType="boolean" redcap:Variable="race" redcap:FieldType="checkbox"><Question>${text('Race')}</Question></ItemDef>
      <ItemDef OID="visit_complete" Name="visit_complete" DataType="text" redcap:Variable="visit_complete" redcap:FieldType="select"/>`,
    more: `${list}<CodeList OID="R1" Name="race" redcap:Variable="race" redcap:CheckboxChoices="1, A | 2, B"/>`,
  })
    .replace('<ODM ', '<ODM xmlns:redcap="https://projectredcap.org" ')
    .replace('<FormDef OID="F"', '<FormDef redcap:FormName="visit" OID="F"')
  const plan = readPlan('odm', bytes(redcapOdm))
  expect(plan.stages[0]!.components.map(({ title }) => title)).toEqual(['About you', 'Sex', 'Why', 'Race'])
  expect(askedIn(plan, 'why').condition).toEqual({ dataType: 'sex', operator: 'equal', value: 'One' })
  expect(typeIn(plan, 'why').isPii).toBe(true)
  expect(typeIn(plan, 'race')).toMatchObject({
    format: 'choice',
    multiple: true,
    options: [{ label: 'A' }, { label: 'B' }],
  })
})

test('texts in other languages become translations', () => {
  const inBoth = (en: string, de: string) => `${text(en)}${text(de, 'de-AT')}`
  const plan = odm({
    refs: ref,
    items:
      `<ItemDef OID="a" Name="a" DataType="text"><Question>${inBoth('Smoker?', 'Rauchen Sie?')}</Question><CodeListRef CodeListOID="L"/></ItemDef>` +
      `<CodeList OID="L" Name="L" DataType="text"><CodeListItem CodedValue="1"><Decode>${inBoth('Yes', 'Ja')}</Decode></CodeListItem><CodeListItem CodedValue="0"><Decode>${text('No')}</Decode></CodeListItem></CodeList>`,
  })
  expect(plan.warnings).toEqual([])
  expect(askedIn(plan, 'a')).toMatchObject({ title: 'Smoker?', translations: { 'de-AT': { title: 'Rauchen Sie?' } } })
  expect(typeIn(plan, 'a').options).toEqual([
    { label: 'Yes', code: '1', translations: { 'de-AT': { label: 'Ja' } } },
    { label: 'No', code: '0' },
  ])
})

test('data of participants in a file are not dropped without a word', () => {
  const item = '<ItemData ItemOID="I" Value="1"/><ItemDataInteger ItemOID="J">2</ItemDataInteger>'
  const subject = (key: string) =>
    `<SubjectData SubjectKey="${key}"><StudyEventData StudyEventOID="E"><FormData FormOID="F"><ItemGroupData ItemGroupOID="G">${item}</ItemGroupData></FormData></StudyEventData></SubjectData>`
  const file = odmText({
    refs: '<ItemRef ItemOID="I" Mandatory="No"/>',
    items: '<ItemDef OID="I" Name="age" DataType="integer"/>',
  })
  const data = `<ClinicalData StudyOID="S" MetaDataVersionOID="V">${subject('1')}${subject('2')}${subject('1')}</ClinicalData></ODM>`
  expect(readPlan('odm', bytes(file)).warnings).toEqual([])
  expect(readPlan('odm', bytes(file.replace('</ODM>', data))).warnings).toEqual([
    {
      field: 'ClinicalData',
      problem: 'The data of 2 participants (6 values) were left out: an import brings the forms only.',
    },
  ])
})

test('the edition of a file without ODMVersion is that of its namespace', () => {
  const file = (root: string) =>
    `<ODM ${root}><Study OID="S"><MetaDataVersion OID="V" Name="v"><ItemGroupDef OID="F" Name="Visit" Type="Form" Repeating="No"><ItemRef ItemOID="I" Mandatory="No"/></ItemGroupDef><ItemDef OID="I" Name="age" DataType="integer"/></MetaDataVersion></Study></ODM>`
  const plan = readPlan('odm', bytes(file('xmlns="http://www.cdisc.org/ns/odm/v2.0"')))
  expect(plan.stages.map(({ name, components }) => [name, components.length])).toEqual([['Visit', 1]])
  expect(() => readPlan('odm', bytes(file('xmlns="http://www.cdisc.org/ns/odm/v1.3"')))).toThrow('describes no forms')
  expect(() => readPlan('odm', bytes(file('xmlns="http://www.cdisc.org/ns/odm/v3.0"')))).toThrow(
    'ODM 3.0 cannot be read',
  )
})
