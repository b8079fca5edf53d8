/** Elements and attributes in an ODM file that are not of ODM but of the tool that wrote it. */
import type { Warning } from '#design/stages/importPlan'
import type { Xml } from '#documents/xml'
import { cut } from '#kernel/text'

/** What the readers of ODM files use, without prefixes. */
const KNOWN_NAMES = new Set([
  ...['MultiSelectList', 'MultiSelectListItem', 'MultiSelectListRef', 'ItemDetails', 'ItemPresentInForm'],
  ...['SimpleConditionalDisplay', 'ControlItemName', 'OptionValue', 'LeftItemText', 'RightItemText', 'ItemResponse'],
  ...['RepeatingInstrumentsAndEvents', 'RepeatingInstruments', 'RepeatingInstrument', 'RepeatingEvent'],
  ...['UniqueEventName', 'RepeatInstrument', 'SchedulingEnabled', 'FormName', 'Variable', 'FieldType', 'Calculation'],
  ...['SectionHeader', 'SliderLabels', 'FieldNote', 'TextValidationType', 'Identifier', 'BranchingLogic'],
  ...['RequiredField', 'MatrixGroupName', 'MatrixRanking', 'FieldAnnotation', 'CheckboxChoices', 'EventName'],
  ...['ArmNum', 'ArmName', 'DayOffset', 'OffsetMin', 'OffsetMax', 'MissingDataCodes'],
])

/** Prefixes of XML itself, of signatures, and of our own exports. */
const COMMON_PREFIXES = new Set(['xml', 'xmlns', 'xsi', 'ds', 'trialbox'])

/** The prefixes that stand for ODM itself. */
const ownPrefixes = (root: Xml): Set<string> =>
  new Set(
    Object.entries(root).flatMap(([name, value]) =>
      name.startsWith('@xmlns:') && String(value).includes('cdisc.org/ns/odm') ? [name.slice(7)] : [],
    ),
  )

const isEmpty = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() === '' : typeof value === 'object' && !Object.keys(value ?? {}).length

/**
 * A warning for each kind of vendor element and attribute that is not read, with the number of its occurrences; those
 * without content say nothing and are not counted.
 * @param root the outermost element, for its prefixes @param study the element whose content is imported
 */
export function unreadVendorParts(root: Xml, study: Xml): Warning[] {
  const own = ownPrefixes(root)
  const counts = new Map<string, number>()
  const isUnread = (name: string) => {
    const [prefix, bare] = name.split(':') as [string, string | undefined]
    return bare !== undefined && !COMMON_PREFIXES.has(prefix) && !own.has(prefix) && !KNOWN_NAMES.has(bare)
  }
  const count = (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1)
  const open: Xml[] = [study]
  // The list grows while it is walked.
  for (const element of open) {
    for (const [key, value] of Object.entries(element)) {
      if (key.startsWith('@')) {
        if (isUnread(key.slice(1)) && !isEmpty(value)) count(`attribute ${key.slice(1)}`)
        continue
      }
      for (const each of Array.isArray(value) ? value : [value]) {
        if (isUnread(key) && !isEmpty(each)) count(key)
        if (typeof each === 'object' && each !== null) open.push(each as Xml)
      }
    }
  }
  return [...counts].map(([name, number]) => ({
    field: cut(name, 200),
    problem: `It is not part of ODM and not read (${number === 1 ? 'once' : `${number} times`}).`,
  }))
}
