/** Makes the definitions of an ODM file: forms, item groups, items, code lists, conditions, methods. */

import type { DataTypeSettings, Format, TableColumn } from '#design/dataTypes/model'
import type { ImportPlan, PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { codesOf } from '#exchange/exports/columns'
import { type Extras, typesOf } from '#exchange/imports/extras'
import { textsIn } from '#exchange/imports/languageNames'
import type { Xml } from '#exchange/imports/xml'
import { typeOf, unique } from './answers'
import { calculationText, conditionText } from './expressions'
import { namesOf } from './names'
import { clean, noteAttribute, odmDialect, type Texts, translated } from './odmTexts'

/** The data types of ODM; a format without one is a text. */
const words: Partial<Record<Format, string>> = {
  integer: 'integer',
  rating: 'integer',
  float: 'float',
  slider: 'float',
  measurements: 'float',
  calculation: 'float',
  bmi: 'float',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
  file: 'base64Binary',
  image: 'base64Binary',
  video: 'base64Binary',
}

type Definition = { OID: string; element: Xml }

/** The elements of a plan. @param extras the notes; absent for the export that is read again to find them */
export function elementsOf(plan: ImportPlan, extras?: Extras) {
  const types = typesOf(plan)
  const { language = 'en' } = plan
  const inLanguages = (texts: Texts): Xml => translated(texts, language)
  const name = unique((wanted) => wanted.replace(/[^A-Za-z0-9_.]/g, '_'))
  /** The names of each data type: one that several stages ask is one item. */
  const once = new Map<string, readonly string[]>()
  const names = namesOf(plan, types, name)
  const forms: Definition[] = []
  const groups: Definition[] = []
  const items = new Map<string, Xml>()
  const lists = new Map<string, Definition>()
  const units = new Map<string, Definition>()
  const conditions = new Map<string, Definition>()
  const methods = new Map<string, Definition>()

  /** The OID of a definition that is made only once for each key. */
  const definitionOf = <T extends Definition>(among: Map<string, T>, key: string, make: (n: number) => T): string => {
    if (!among.has(key)) among.set(key, make(among.size + 1))
    return among.get(key)!.OID
  }
  const listOf = (entries: readonly ({ code: string } & Texts)[]) =>
    definitionOf(lists, JSON.stringify(entries), (n) => ({
      OID: `CL.${n}`,
      element: {
        '@OID': `CL.${n}`,
        '@Name': `Choices ${n}`,
        '@DataType': 'text',
        CodeListItem: entries.map(({ code, ...texts }) => ({ '@CodedValue': clean(code), Decode: inLanguages(texts) })),
      },
    }))
  const unitOf = (unit: string) =>
    definitionOf(units, unit, (n) => ({
      OID: `MU.${n}`,
      element: { '@OID': `MU.${n}`, '@Name': clean(unit), Symbol: inLanguages({ text: unit }) },
    }))
  const conditionOf = (text: string) =>
    definitionOf(conditions, text, (n) => ({ OID: `C.${n}`, element: expression(`C.${n}`, `!(${text})`) }))
  const methodOf = (text: string) =>
    definitionOf(methods, text, (n) => ({
      OID: `M.${n}`,
      element: { ...expression(`M.${n}`, text), '@Type': 'Computation' },
    }))
  const expression = (oid: string, text: string): Xml => ({
    '@OID': oid,
    '@Name': oid,
    Description: inLanguages({ text }),
    FormalExpression: { '@Context': 'Trialbox', '#text': clean(text) },
  })

  function itemDef(
    oid: string,
    own: string,
    title: Texts,
    note: Texts,
    type: { format: Format; unit?: string | null } & DataTypeSettings,
  ): Xml {
    const { format, min, max, maxLength, decimals, options, unit } = type
    const checks = (bound: unknown, comparator: string): Xml[] =>
      bound == null ? [] : [{ '@Comparator': comparator, '@SoftHard': 'Hard', CheckValue: String(bound) }]
    const range = [...checks(min, 'GE'), ...checks(max, 'LE')]
    const length = format === 'text' || format === 'paragraph' ? maxLength : undefined
    return {
      '@OID': oid,
      '@Name': clean(own),
      '@DataType': words[format] ?? 'text',
      ...(length ? { '@Length': String(length) } : {}),
      ...(decimals != null ? { '@SignificantDigits': String(decimals) } : {}),
      ...(note.text ? { Description: inLanguages(note) } : {}),
      Question: inLanguages(title),
      ...(unit ? { MeasurementUnitRef: { '@MeasurementUnitOID': unitOf(unit) } } : {}),
      ...(range.length ? { RangeCheck: range } : {}),
      ...(options?.length
        ? {
            CodeListRef: {
              '@CodeListOID': listOf(
                codesOf(options).map((code, place) => ({ code, ...textsIn(options[place]!, 'label') })),
              ),
            },
          }
        : {}),
    }
  }

  plan.stages.forEach((stage, n) => {
    const form = `F.${n + 1}`
    const within = new Map(names.within(n))
    /** The names of a component, the same in every stage that asks its data type. */
    const namesFor = (m: number): readonly string[] => {
      const key = stage.components[m]!.dataType
      if (!key) return names.of(n, m)
      if (!once.has(key)) once.set(key, names.of(n, m))
      return once.get(key)!
    }
    stage.components.forEach((component, m) => {
      const type = typeOf(types, component)
      const [first, ...rows] = namesFor(m)
      if (!type) return
      within.set(component.dataType!, first!)
      rows.forEach((row, place) => void within.set(`${component.dataType}.${type.statements![place]!.key}`, row))
    })
    const dialect = odmDialect(within)
    const references: Xml[] = []
    /** The references of the group that takes the next field. */
    let open: Xml[] | undefined

    function group(attributes: Xml, title: Texts | undefined, reference: Xml, refs: Xml[]): void {
      const oid = `IG.${groups.length + 1}`
      references.push({ '@ItemGroupOID': oid, '@Mandatory': 'No', ...reference })
      groups.push({
        OID: oid,
        element: {
          '@OID': oid,
          '@Name': 'Ungrouped',
          '@Repeating': 'No',
          ...attributes,
          ...(title ? { Description: inLanguages(title) } : {}),
          ItemRef: refs,
        },
      })
    }

    stage.components.forEach((component, m) => {
      const type = typeOf(types, component)
      const extra = noteAttribute(extras?.components[n]?.[m])
      const names = namesFor(m)
      if (!type) {
        open = []
        group({}, textsIn(component, 'title'), extra, open)
        return
      }
      const text = conditionText(component.condition, types, dialect)
      const condition: Xml = text ? { '@CollectionExceptionConditionOID': conditionOf(text) } : {}
      const mandatory: Xml = { '@Mandatory': component.isRequired ? 'Yes' : 'No' }
      if (type.format === 'likert' && type.scale?.length && type.statements?.length) {
        group(
          { '@trialbox:likert': names[0]! },
          textsIn(component, 'title'),
          { ...mandatory, ...condition, ...extra },
          likertRefs(type, names),
        )
        open = undefined
      } else if (type.format === 'table' && type.columns?.length) {
        group(
          { '@Name': names[0]!, '@Repeating': 'Yes', '@trialbox:table': names[0]! },
          textsIn(component, 'title'),
          { ...mandatory, ...condition, ...extra },
          tableRefs(names[0]!, type.columns),
        )
        open = undefined
      } else {
        if (!open) group({}, undefined, {}, (open = []))
        open.push({
          '@ItemOID': item(component, type, names[0]!),
          ...mandatory,
          ...method(type),
          ...condition,
          ...extra,
        })
      }
    })
    forms.push({
      OID: form,
      element: {
        '@OID': form,
        '@Name': clean(stage.name),
        '@Repeating': stage.adHoc ? 'Yes' : 'No',
        ...noteAttribute(extras?.stages[n] ? { stage: extras.stages[n] } : {}),
        ...(stage.description ? { Description: inLanguages(textsIn(stage, 'description')) } : {}),
        ItemGroupRef: references,
      },
    })

    function method(type: PlannedType): Xml {
      if (type.format !== 'calculation') return {}
      return { '@MethodOID': methodOf(calculationText(type.expression ?? '', types, dialect) ?? '""') }
    }
  })

  function item(component: PlannedComponent, type: PlannedType, oid: string): string {
    if (!items.has(oid))
      items.set(oid, itemDef(oid, type.code, textsIn(component, 'title'), textsIn(component, 'description'), type))
    return oid
  }

  function likertRefs({ scale, statements }: PlannedType, [, ...rows]: readonly string[]): Xml[] {
    const options = scale!.map(({ value, label, translations }) => ({
      code: String(value),
      label: label || String(value),
      ...(translations ? { translations } : {}),
    }))
    return statements!.map((statement, place) => {
      const title = textsIn(statement, 'label')
      items.set(rows[place]!, itemDef(rows[place]!, statement.key, title, { text: '' }, { format: 'choice', options }))
      return { '@ItemOID': rows[place]!, '@Mandatory': 'No' }
    })
  }

  function tableRefs(own: string, columns: readonly TableColumn[]): Xml[] {
    return columns.map((column) => {
      const oid = `${own}.${column.id.replace(/[^A-Za-z0-9_]/g, '_')}`
      items.set(oid, itemDef(oid, column.id, textsIn(column, 'label'), { text: '' }, column))
      return { '@ItemOID': oid, '@Mandatory': 'No' }
    })
  }

  const all = (definitions: Iterable<Definition>) => [...definitions].map(({ element }) => element)
  return {
    units: all(units.values()),
    forms: all(forms),
    groups: all(groups),
    items: [...items.values()],
    lists: all(lists.values()),
    conditions: all(conditions.values()),
    methods: all(methods.values()),
  }
}
