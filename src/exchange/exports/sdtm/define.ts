/** The define.xml of an export in the shape of SDTM: Define-XML 2.1, without a stylesheet. */
import { type Instant, instantText } from '#kernel/time'
import { xmlElement as element, xmlEscaped, xmlStart } from '#writers/xml'
import { CT, type DefinedList, listElement } from './defineLists'
import { domains } from './domains'
import type { SdtmTable, VariableStatistics } from './tables'
import { exportedVariables } from './tables'
import type { DomainVariable, Origin } from './variables'

export type DefineDescription = {
  study: { _id: string; name: string; code: string }
  at: Instant
  version: string
  lists: ReadonlyMap<string, DefinedList>
  /** The whole question of each test. */
  questions: ReadonlyMap<string, string>
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACES = {
  xmlns: 'http://www.cdisc.org/ns/odm/v1.3',
  'xmlns:def': 'http://www.cdisc.org/ns/def/v2.1',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
}
const IG = 'STD.IG'

const descriptionElement = (text: string): string =>
  element('Description', {}, element('TranslatedText', { 'xml:lang': 'en' }, xmlEscaped(text)))

const START =
  'A starting point: only what follows from forms of the library and from the conduct of the study is mapped. Complete it before you use it.'
const NOT_AVAILABLE = 'The study does not record it, or it cannot be mapped without guessing. To be completed.'

/** The file in pieces. @param tables those that are exported */
export function* defineXml(about: DefineDescription, tables: readonly SdtmTable[]): Generator<string> {
  const { study, at, version } = about
  const moment = `${instantText(at).slice(0, 19)}Z`
  const file = {
    FileType: 'Snapshot',
    FileOID: `DEFINE.${study._id}.${at}`,
    CreationDateTime: moment,
    AsOfDateTime: moment,
  }
  const program = {
    ODMVersion: '1.3.2',
    Originator: 'Trialbox',
    SourceSystem: 'Trialbox',
    SourceSystemVersion: version,
  }
  yield XML
  yield `${xmlStart('ODM', { ...NAMESPACES, ...file, ...program, 'def:Context': 'Other' })}\n`
  yield xmlStart('Study', { OID: `ST.${study._id}` })
  yield element(
    'GlobalVariables',
    {},
    element('StudyName', {}, xmlEscaped(study.code)),
    element('StudyDescription', {}, xmlEscaped(study.name)),
    element('ProtocolName', {}, xmlEscaped(study.code)),
  )
  yield `\n${xmlStart('MetaDataVersion', {
    OID: 'MDV.SDTM',
    Name: `${study.code}: SDTM`,
    Description: 'Data definitions of an export in the shape of SDTM',
    'def:DefineVersion': '2.1.0',
    'def:CommentOID': 'COM.START',
  })}\n`
  const standard = (OID: string, Name: string, Type: string, Version: string, PublishingSet?: string) =>
    element('def:Standard', { OID, Name, Type, PublishingSet, Version, Status: 'Final' })
  yield element(
    'def:Standards',
    {},
    standard(IG, 'SDTMIG', 'IG', '3.4'),
    standard(CT, 'CDISC/NCI', 'CT', '2023-12-15', 'SDTM'),
  )
  for (const table of tables) yield* valueLists(table)
  for (const table of tables) yield* whereClauses(table)
  for (const table of tables) yield `\n${groupOf(table)}`
  for (const table of tables) yield* items(table, about)
  const used = new Set(tables.flatMap((table) => exportedVariables(table).map(({ variable: { list } }) => list)))
  for (const [name, list] of about.lists)
    if (used.has(name as DomainVariable['list'])) yield `\n${listElement(name, list)}`
  for (const table of tables) yield* methods(table)
  yield `\n${element('def:CommentDef', { OID: 'COM.START' }, descriptionElement(START))}`
  yield `\n${element('def:CommentDef', { OID: 'COM.NA' }, descriptionElement(NOT_AVAILABLE))}`
  yield '\n</MetaDataVersion></Study></ODM>\n'
}

/** The variable that says the test of a result. */
const testOf = ({ isSupp, domain }: SdtmTable) => (isSupp ? 'QNAM' : `${domain}TESTCD`)
const itemOf = ({ name }: SdtmTable, variable: string, ...test: string[]) => ['IT', name, variable, ...test].join('.')
const clauseOf = (table: SdtmTable, test: string) => `WC.${table.name}.${testOf(table)}.${test}`

function* valueLists(table: SdtmTable): Generator<string> {
  for (const [variable, tests] of table.byTest) {
    if (!tests.size) continue
    const refs = [...tests.keys()].map((test, at) =>
      element(
        'ItemRef',
        { ItemOID: itemOf(table, variable, test), OrderNumber: at + 1, Mandatory: 'No' },
        element('def:WhereClauseRef', { WhereClauseOID: clauseOf(table, test) }),
      ),
    )
    yield `\n${element('def:ValueListDef', { OID: `VL.${table.name}.${variable}` }, ...refs)}`
  }
}

const testsOf = ({ byTest }: SdtmTable) => new Set([...byTest.values()].flatMap((tests) => [...tests.keys()]))

function* whereClauses(table: SdtmTable): Generator<string> {
  for (const test of testsOf(table)) {
    const check = { SoftHard: 'Soft', 'def:ItemOID': itemOf(table, testOf(table)), Comparator: 'EQ' }
    const value = element('RangeCheck', check, element('CheckValue', {}, test))
    yield `\n${element('def:WhereClauseDef', { OID: clauseOf(table, test) }, value)}`
  }
}

const keysOf = ({ isSupp, domain }: SdtmTable): readonly string[] =>
  isSupp ? ['STUDYID', 'RDOMAIN', 'USUBJID', 'IDVAR', 'IDVARVAL', 'QNAM'] : domains[domain].keys

/** The label of a table in its file and in the define.xml. */
export const tableLabel = ({ isSupp, domain }: SdtmTable): string =>
  isSupp ? `Supplemental Qualifiers for ${domain}` : domains[domain].label

/** The name of the transport file of a table. */
export const fileOf = ({ name }: SdtmTable): string => `${name.toLowerCase()}.xpt`

function groupOf(table: SdtmTable): string {
  const { name, domain, isSupp } = table
  const keys = keysOf(table)
  const refs = exportedVariables(table).map(({ variable }, at) =>
    element('ItemRef', {
      ItemOID: itemOf(table, variable.name),
      OrderNumber: at + 1,
      Mandatory: variable.core === 'R' ? 'Yes' : 'No',
      KeySequence: keys.includes(variable.name) ? keys.indexOf(variable.name) + 1 : undefined,
      MethodOID: variable.method === undefined ? undefined : `MT.${name}.${variable.name}`,
    }),
  )
  const structure = isSupp ? 'One record per qualifier per related record per subject' : domains[domain].structure
  const leaf = { ID: `LF.${name}`, 'xlink:href': fileOf(table) }
  return element(
    'ItemGroupDef',
    {
      ...{ OID: `IG.${name}`, Name: name, Repeating: name === 'DM' ? 'No' : 'Yes', IsReferenceData: 'No' },
      ...{ SASDatasetName: name, Domain: domain, Purpose: 'Tabulation', 'def:Structure': structure },
      ...{ 'def:ArchiveLocationID': `LF.${name}`, 'def:StandardOID': IG },
    },
    descriptionElement(tableLabel(table)),
    ...refs,
    element('def:Class', { Name: isSupp ? 'RELATIONSHIP' : domains[domain].className }),
    element('def:leaf', leaf, element('def:title', {}, fileOf(table))),
  )
}

/** The type of a variable and its length: dates have none. */
function typeOf({ name, isText }: Pick<DomainVariable, 'name' | 'isText'>, found: VariableStatistics) {
  if (isText && name.endsWith('DTC'))
    return { DataType: found.areDates ? 'date' : found.areTimes ? 'datetime' : 'partialDatetime' }
  if (isText) return { DataType: 'text', Length: found.width }
  return numberOf(found)
}

const numberOf = ({ isWhole, digits, decimals }: VariableStatistics) => ({
  DataType: isWhole ? 'integer' : 'float',
  Length: digits,
  SignificantDigits: isWhole ? undefined : decimals,
})

const originElement = (origin: Origin): string => {
  const isSource = origin === 'Investigator' || origin === 'Subject'
  if (origin === 'Not Available') return element('def:Origin', { Type: origin })
  return element('def:Origin', { Type: isSource ? 'Collected' : origin, Source: isSource ? origin : 'Sponsor' })
}

function* items(table: SdtmTable, { lists, questions }: DefineDescription): Generator<string> {
  for (const { variable, found } of exportedVariables(table)) {
    const { name, label, list, origin } = variable
    const hasValues = (table.byTest.get(name)?.size ?? 0) > 0
    yield `\n${element(
      'ItemDef',
      {
        ...{ OID: itemOf(table, name), Name: name, ...typeOf(variable, found), SASFieldName: name },
        'def:CommentOID': origin === 'Not Available' ? 'COM.NA' : undefined,
      },
      descriptionElement(label),
      ...(list && lists.has(list) ? [element('CodeListRef', { CodeListOID: `CL.${list}` })] : []),
      originElement(origin),
      ...(hasValues ? [element('def:ValueListRef', { ValueListOID: `VL.${table.name}.${name}` })] : []),
    )}`
  }
  for (const [variable, tests] of table.byTest) {
    for (const [test, found] of tests) {
      const isNumber = found.isNumber && found.count > 0 && !table.isSupp
      const type = isNumber ? numberOf(found) : { DataType: 'text', Length: found.width }
      const label = questions.get(test) ?? table.labels.get(test) ?? test
      yield `\n${element(
        'ItemDef',
        { OID: itemOf(table, variable, test), Name: test, ...type, SASFieldName: variable },
        descriptionElement(label),
        originElement(table.isSupp ? 'Investigator' : variable.endsWith('STRESC') ? 'Derived' : sourceOf(table)),
      )}`
    }
  }
}

const sourceOf = ({ domain }: SdtmTable): Origin => (domain === 'QS' ? 'Subject' : 'Investigator')

function* methods(table: SdtmTable): Generator<string> {
  for (const { variable } of exportedVariables(table)) {
    if (variable.method === undefined) continue
    const OID = `MT.${table.name}.${variable.name}`
    yield `\n${element('MethodDef', { OID, Name: `${table.name}.${variable.name}`, Type: 'Computation' }, descriptionElement(variable.method))}`
  }
}
