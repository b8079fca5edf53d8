/** The code lists of a define.xml. */
import { xmlElement as element, xmlEscaped } from '#writers/xml'
import type { StudyArms } from './facts'
import type { QuestionCode } from './instruments'
import { type CodeListSource, codeLists, type Term } from './terms'

/** The standard of the terms. */
export const CT = 'STD.CT'

/** A code list. Without a code it is one of the sponsor. */
export type DefinedList = CodeListSource

/** All lists that a variable may name: those of CDISC, and those of this study. */
export function definedLists(
  questions: readonly QuestionCode[],
  arms: StudyArms['shown'],
): ReadonlyMap<string, DefinedList> {
  const own: [string, DefinedList][] = [
    [
      'QSTESTCD',
      { name: 'Question Short Name', terms: questions.map(({ test, name }) => ({ value: test, decode: name })) },
    ],
    ['QSTEST', { name: 'Question Name', terms: distinct(questions.map(({ name }) => name)) }],
    ['QSCAT', { name: 'Category of Question', terms: distinct(questions.map(({ category }) => category)) }],
    ['ARMCD', { name: 'Planned Arm Code', terms: arms.map(({ ARMCD, ARM }) => ({ value: ARMCD, decode: ARM })) }],
    ['ARM', { name: 'Description of Planned Arm', terms: distinct(arms.map(({ ARM }) => ARM)) }],
  ]
  return new Map([...Object.entries(codeLists), ...own.filter(([, { terms }]) => terms.length)])
}

const distinct = (values: readonly string[]): Term[] => [...new Set(values)].map((value) => ({ value }))

const alias = (code: string | undefined): string[] =>
  code ? [element('Alias', { Context: 'nci:ExtCodeID', Name: code })] : []

/** A code list as an element. A list has a decode for each of its terms, or for none. */
export function listElement(name: string, { name: title, code, terms }: DefinedList): string {
  const hasDecodes = terms.some(({ decode }) => decode !== undefined)
  const written = terms.map(({ value, code: own, decode = value }) => {
    const attributes = {
      CodedValue: value,
      'def:ExtendedValue': code !== undefined && own === undefined ? 'Yes' : undefined,
    }
    const text = element('TranslatedText', { 'xml:lang': 'en' }, xmlEscaped(decode))
    return hasDecodes
      ? element('CodeListItem', attributes, element('Decode', {}, text), ...alias(own))
      : element('EnumeratedItem', attributes, ...alias(own))
  })
  const standard = code === undefined ? { 'def:IsNonStandard': 'Yes' } : { 'def:StandardOID': CT }
  return element(
    'CodeList',
    { OID: `CL.${name}`, Name: title, DataType: 'text', ...standard },
    ...written,
    ...alias(code),
  )
}
