import { expect, test } from 'bun:test'
import { readPlan } from '#exchange/imports/read'
import { study } from '../../design/stages/stages.study'
import { firstOf } from '../../present'
import { askedIn, bytes, odmText, typeIn } from './files'

const text = (words: string) => `<TranslatedText xml:lang="en">${words}</TranslatedText>`

type Items = Record<string, { inner?: string; attributes?: string; response?: string }>

/** An ODM file as OpenClinica writes it. @param inner the elements in an item's details, by item */
function openClinica(items: Items, more = '', repeating: 'Yes' | 'No' = 'No') {
  const multi = `<OpenClinica:MultiSelectList ID="MSL_1" Name="acn" DataType="text" ActualDataType="text">
    <OpenClinica:MultiSelectListItem CodedOptionValue="1"><Decode>${text('None')}</Decode></OpenClinica:MultiSelectListItem>
    <OpenClinica:MultiSelectListItem CodedOptionValue="2"><Decode>${text('Withdrawn')}</Decode></OpenClinica:MultiSelectListItem>
  </OpenClinica:MultiSelectList>`
  const codes = `<CodeList OID="CL_YN" Name="yn" DataType="integer"><CodeListItem CodedValue="1"><Decode>${text('Yes')}</Decode></CodeListItem><CodeListItem CodedValue="0"><Decode>${text('No')}</Decode></CodeListItem></CodeList>`
  const lists: Record<string, string> = {
    checkbox: '<OpenClinica:MultiSelectListRef MultiSelectListID="MSL_1"/>',
    radio: '<CodeListRef CodeListOID="CL_YN"/>',
  }
  const defs = Object.entries(items).map(
    ([
      name,
      { inner = '', attributes = 'PHI="No" ShowItem="Yes"', response = 'text' },
    ]) => `<ItemDef OID="I_${name.toUpperCase()}" Name="${name}" DataType="text" Length="10"><Question>${text(`${name}?`)}</Question>${lists[response] ?? ''}
    <OpenClinica:ItemDetails ItemOID="I_${name.toUpperCase()}">
      <OpenClinica:ItemPresentInForm FormOID="F_OTHER" ShowItem="No"/>
      <OpenClinica:ItemPresentInForm FormOID="F" ${attributes} OrderInForm="1"><OpenClinica:LeftItemText>${name}?</OpenClinica:LeftItemText>${inner}<OpenClinica:ItemResponse ResponseType="${response}"/></OpenClinica:ItemPresentInForm>
    </OpenClinica:ItemDetails></ItemDef>`,
  )
  const refs = Object.keys(items).map((name) => `<ItemRef ItemOID="I_${name.toUpperCase()}" Mandatory="No"/>`)
  const file = odmText({ refs: refs.join(''), items: defs.join(''), more: codes + multi + more }).replace(
    'Name="Group" Repeating="No"',
    `Name="Group" Repeating="${repeating}"`,
  )
  return readPlan(
    'odm',
    bytes(file.replace('<ODM ', '<ODM xmlns:OpenClinica="http://www.openclinica.org/ns/odm_ext_v130/v3.1" ')),
  )
}

const shownIf = (control: string, option: string, message = '') =>
  `<OpenClinica:SimpleConditionalDisplay><OpenClinica:ControlItemName>${control}</OpenClinica:ControlItemName><OpenClinica:OptionValue>${option}</OpenClinica:OptionValue>${message}</OpenClinica:SimpleConditionalDisplay>`

test('OpenClinica’s multi-selects are choices, and its displays conditions', () => {
  const plan = openClinica({
    acn: { response: 'checkbox' },
    sick: { response: 'radio' },
    why: { inner: shownIf('sick', '1'), attributes: 'ShowItem="No"' },
    note: { inner: shownIf('acn', '2'), attributes: 'ShowItem="No"', response: 'textarea' },
  })
  expect(typeIn(plan, 'I_ACN')).toEqual({
    name: 'acn?',
    code: 'I_ACN',
    format: 'choice',
    multiple: true,
    options: [
      { label: 'None', code: '1' },
      { label: 'Withdrawn', code: '2' },
    ],
  })
  expect(askedIn(plan, 'I_WHY').condition).toEqual({ dataType: 'i_sick', operator: 'equal', value: 'Yes' })
  expect(askedIn(plan, 'I_NOTE').condition).toEqual({ dataType: 'i_acn', operator: 'equal', value: 'Withdrawn' })
  expect(typeIn(plan, 'I_NOTE').format).toBe('paragraph')
  expect(plan.warnings).toEqual([])
})

test('what a rule of OpenClinica would show, and what it computes, is not asked; a display that is lost is told', () => {
  const plan = openClinica({
    hidden: { attributes: 'ShowItem="No"' },
    sum: { attributes: 'DefaultValue="func: (a+b)"', response: 'calculation' },
    lost: { inner: shownIf('nowhere', '1'), attributes: 'ShowItem="No"' },
  })
  const [hidden, sum, lost] = ['I_HIDDEN', 'I_SUM', 'I_LOST'].map((code) => askedIn(plan, code))
  expect([hidden!.isHidden, sum!.isHidden, lost!.isHidden]).toEqual([true, true, true])
  expect(typeIn(plan, 'I_SUM').annotation).toBe('Calculation in the file: func: (a+b)')
  expect(plan.warnings.map(({ field, problem }) => [field, problem])).toEqual([
    ['I_LOST', expect.stringMatching(/It is not asked.*: “nowhere” = “1”/)],
    ['I_HIDDEN', expect.stringContaining('hides it unless one of its rules shows it')],
    ['I_SUM', expect.stringContaining('a hidden text that nobody is asked')],
  ])
})

test('what OpenClinica marks as protected health information is personal', () => {
  const plan = openClinica({ name: { attributes: 'PHI="Yes" ShowItem="Yes"' }, other: {} })
  expect(plan.dataTypes.map(({ isPii }) => isPii)).toEqual([true, undefined])
})

test('what OpenClinica hides in a table is no column of it', () => {
  const items = { shown: {}, hidden: { attributes: 'ShowItem="No"' }, sum: { response: 'group-calculation' } }
  const plan = openClinica(items, '', 'Yes')
  expect(plan.dataTypes).toMatchObject([{ format: 'table', columns: [{ id: 'shown' }] }])
  expect(plan.warnings.map(({ field, problem }) => [field, problem])).toContainEqual([
    'I_HIDDEN',
    'In the table G: a column cannot be hidden; it was left out.',
  ])
})

test('each vendor element that is not read has its line in the warnings', () => {
  const plan = openClinica(
    {
      a: {
        inner: `<OpenClinica:ItemHeader>Vital signs</OpenClinica:ItemHeader><OpenClinica:SectionLabel>1</OpenClinica:SectionLabel>`,
      },
      b: { inner: '<OpenClinica:ItemHeader>Blood</OpenClinica:ItemHeader>' },
      c: { inner: shownIf('a', 'x', '<OpenClinica:Message>Hidden data!</OpenClinica:Message>') },
    },
    `<OpenClinica:StudyGroupClassList ID="SGC_1" Name="Arms"><OpenClinica:StudyGroupItem Name="A" OpenClinica:Odd="1"/></OpenClinica:StudyGroupClassList>`,
  )
  const once = 'It is not part of ODM and not read (once).'
  expect(plan.warnings.toSorted((a, b) => (a.field < b.field ? -1 : 1))).toEqual([
    { field: 'OpenClinica:ItemHeader', problem: 'It is not part of ODM and not read (2 times).' },
    { field: 'OpenClinica:Message', problem: once },
    { field: 'OpenClinica:SectionLabel', problem: once },
    { field: 'OpenClinica:StudyGroupClassList', problem: once },
    { field: 'OpenClinica:StudyGroupItem', problem: once },
    { field: 'attribute OpenClinica:Odd', problem: once },
  ])
})

/** A longitudinal REDCap project with two arms. */
const project = (scheduling = '1') => `<?xml version="1.0" encoding="UTF-8" ?>
<ODM xmlns="http://www.cdisc.org/ns/odm/v1.3" xmlns:redcap="https://projectredcap.org" ODMVersion="1.3.1"><Study OID="Project.T">
<GlobalVariables><StudyName>T</StudyName><redcap:SchedulingEnabled>${scheduling}</redcap:SchedulingEnabled><redcap:Purpose>2</redcap:Purpose><redcap:PurposeOther></redcap:PurposeOther>
<redcap:RepeatingInstrumentsAndEvents><redcap:RepeatingInstruments><redcap:RepeatingInstrument redcap:UniqueEventName="base_arm_1" redcap:RepeatInstrument="meds" redcap:CustomLabel=""/></redcap:RepeatingInstruments>
<redcap:RepeatingEvent redcap:UniqueEventName="extra_arm_2"/></redcap:RepeatingInstrumentsAndEvents></GlobalVariables>
<MetaDataVersion OID="M" Name="T" redcap:RecordIdField="record_id">
<Protocol><StudyEventRef StudyEventOID="Event.base_arm_1" OrderNumber="1"/><StudyEventRef StudyEventOID="Event.week_arm_1" OrderNumber="2"/><StudyEventRef StudyEventOID="Event.extra_arm_2" OrderNumber="3"/></Protocol>
<StudyEventDef OID="Event.base_arm_1" Name="Baseline" Repeating="No" redcap:EventName="Baseline" redcap:UniqueEventName="base_arm_1" redcap:ArmNum="1" redcap:ArmName="Drug" redcap:DayOffset="0" redcap:OffsetMin="0" redcap:OffsetMax="0"><FormRef FormOID="Form.visit" OrderNumber="1" redcap:FormName="visit"/><FormRef FormOID="Form.meds" OrderNumber="2" redcap:FormName="meds"/></StudyEventDef>
<StudyEventDef OID="Event.week_arm_1" Name="Week 2" Repeating="No" redcap:EventName="Week 2" redcap:UniqueEventName="week_arm_1" redcap:ArmNum="1" redcap:ArmName="Drug" redcap:DayOffset="14" redcap:OffsetMin="2" redcap:OffsetMax="3"><FormRef FormOID="Form.visit" OrderNumber="1" redcap:FormName="visit"/><FormRef FormOID="Form.meds" OrderNumber="2" redcap:FormName="meds"/></StudyEventDef>
<StudyEventDef OID="Event.extra_arm_2" Name="Extra" Repeating="No" redcap:EventName="Extra" redcap:UniqueEventName="extra_arm_2" redcap:ArmNum="2" redcap:ArmName="Placebo" redcap:DayOffset="" redcap:OffsetMin="" redcap:OffsetMax=""><FormRef FormOID="Form.visit" OrderNumber="1" redcap:FormName="visit"/></StudyEventDef>
<FormDef OID="Form.visit" Name="Visit" Repeating="No" redcap:FormName="visit"><ItemGroupRef ItemGroupOID="visit.a"/></FormDef>
<FormDef OID="Form.meds" Name="Meds" Repeating="No" redcap:FormName="meds"><ItemGroupRef ItemGroupOID="meds.b"/></FormDef>
<ItemGroupDef OID="visit.a" Name="V" Repeating="No"><ItemRef ItemOID="a" redcap:Variable="a"/></ItemGroupDef>
<ItemGroupDef OID="meds.b" Name="M" Repeating="No"><ItemRef ItemOID="b" redcap:Variable="b"/></ItemGroupDef>
<ItemDef OID="a" Name="a" DataType="text" redcap:Variable="a" redcap:FieldType="text"><Question>${text('A')}</Question></ItemDef>
<ItemDef OID="b" Name="b" DataType="text" redcap:Variable="b" redcap:FieldType="text"><Question>${text('B')}</Question></ItemDef>
</MetaDataVersion></Study></ODM>`

test('REDCap’s repeating instruments are ad hoc, its days and windows schedules, its arms groups', async () => {
  const { owner, trial } = study()
  const importData = { source: 'odm', content: project() }
  const { warnings } = await owner.do('createStage', trial, { importData }, { creationType: 'importFromExternalTool' })
  const { stages } = await owner.do('listStages', trial)
  const { anchors } = await owner.do('listAnchors', trial)
  const { groups } = await owner.do('listGroups', trial)
  expect(anchors).toMatchObject([{ name: 'Day 0', assignmentRule: { type: 'manual' } }])
  expect(groups.map(({ name }) => name)).toEqual(['Drug', 'Placebo'])
  const [drug, placebo] = groups.map(({ _id }) => [_id])
  const anchor = firstOf(anchors)._id
  const on = (delay: number) => ({ type: 'anchor', anchor, delay })
  const window = { enableAtTime: '00:00:00', availabilityWindowHours: 6 * 24 }
  expect(stages).toMatchObject([
    {
      name: 'Baseline: Visit',
      adHoc: false,
      enableAfter: on(0),
      availabilityWindowHours: null,
      availableToGroups: drug!,
    },
    { name: 'Baseline: Meds', adHoc: true, enableAfter: null, availableToGroups: drug! },
    { name: 'Week 2: Visit', adHoc: false, enableAfter: on(12), ...window, availableToGroups: drug! },
    { name: 'Week 2: Meds', adHoc: false, enableAfter: on(12), ...window, availableToGroups: drug! },
    { name: 'Extra: Visit', adHoc: true, enableAfter: null, availableToGroups: placebo! },
  ])
  expect(warnings!.map(({ field, problem }) => [field, problem])).toEqual([
    ['meds', expect.stringContaining('the day and window of its event were left out')],
    ['meds', expect.stringContaining('its stage is ad hoc')],
    ['visit', expect.stringContaining('its stage is ad hoc')],
    ['redcap:Purpose', 'It is not part of ODM and not read (once).'],
    ['attribute redcap:RecordIdField', 'It is not part of ODM and not read (once).'],
  ])
})

test('without REDCap’s scheduling, each day that is left out has a warning', () => {
  const plan = readPlan('odm', bytes(project('0')))
  expect(plan.stages.every(({ waits, availabilityWindowHours }) => !waits && !availabilityWindowHours)).toBe(true)
  const days = plan.warnings.filter(({ problem }) => problem.includes('does not use REDCap’s scheduling'))
  expect(days.map(({ problem }) => problem)).toEqual([
    expect.stringContaining('(day 0)'),
    expect.stringContaining('(day 14 with 2 days before and 3 after it)'),
  ])
})

test('who may not create groups gets a warning, and the stage is for nobody until the group is there', async () => {
  const { trial, staff } = study()
  const writer = staff(trial, ['trial.write'])
  const importData = { source: 'odm', content: project() }
  const { warnings } = await writer.do('createStage', trial, { importData }, { creationType: 'importFromExternalTool' })
  expect((await writer.do('listGroups', trial)).groups).toEqual([])
  expect((await writer.do('listStages', trial)).stages.map(({ availableToGroups }) => availableToGroups)).toEqual([
    [],
    [],
    [],
    [],
    [],
  ])
  expect(warnings!.filter(({ problem }) => problem.includes('must be created first'))).toHaveLength(5)
})
