/** The study and its metadata in ODM 1.3.2: events, forms, item groups, items, code lists, units, conditions and methods. */
import type { Component } from '#design/stages/components'
import type { StageRow } from '#design/stages/store'
import { type ExportContext, visibleFields } from '#exchange/exports/context'
import { exportableOf, memoize } from '#exchange/exports/datasets/identity'
import type { Id } from '#kernel/id'
import { xmlElement } from '#writers/xml'
import { definitions } from './definitions'
import { type Question, questionOf } from './items'
import { alias, named, textual, translated } from './words'

export const STUDY = (trial: Id): string => `S.${trial}`
export const VERSION = (trial: Id): string => `MDV.${trial}`

/** An item group of a form: a heading with its fields, or one question with parts or rows. */
export type Group = { oid: string; name: string; heading: Component | undefined; questions: Question[] }

export type Form = { stage: StageRow; event: string; oid: string; isRepeating: boolean; groups: Group[] }

/** The forms of the export, each with what the reader may see of some participant. */
export function formsOf(from: ExportContext): Form[] {
  const question = memoize((field: Id) => {
    const [known] = exportableOf(from.configuration, [field])
    return questionOf(known ?? { _id: field, code: field })
  })
  return from.stages.map((stage): Form => {
    const groups: Group[] = []
    const visible = new Set(visibleFields(from, stage._id))
    const open = (heading: Component | undefined, questions: Question[]): Group => {
      const [first] = questions
      const oid = `IG.${stage._id}.${first?.isGroup ? first.field._id : groups.length + 1}`
      const group = { oid, name: first?.isGroup ? first.field.code : 'Ungrouped', heading, questions }
      groups.push(group)
      return group
    }
    let current: Group | undefined
    const take = (field: Id) => {
      if (!visible.delete(field)) return
      const asked = question(field)
      if (asked.isGroup) {
        open(undefined, [asked])
        current = undefined
      } else {
        current ??= open(undefined, [])
        current.questions.push(asked)
      }
    }
    for (const component of stage.components) {
      if (component.dataType) take(component.dataType)
      else if (component.type !== 'scheduledNotification') current = open(component, [])
    }
    // Those that the stage asked earlier.
    current = undefined
    for (const field of [...visible]) take(field)
    const isRepeating = stage.isRecurring || stage.adHoc
    return { stage, event: `SE.${stage._id}`, oid: `F.${stage._id}`, isRepeating, groups }
  })
}

const yes = (isTrue: boolean): string => (isTrue ? 'Yes' : 'No')

/** The element Study in pieces. */
export function* studyElement(
  from: ExportContext,
  forms: readonly Form[],
  { _id, name, code, description }: { _id: Id; name: string; code: string; description: string },
): Generator<string> {
  const made = definitions(from, forms)
  yield `<Study OID="${STUDY(_id)}">\n`
  yield xmlElement(
    'GlobalVariables',
    {},
    textual('StudyName', name),
    textual('StudyDescription', description || name),
    textual('ProtocolName', code || name),
  )
  if (made.units.size) yield `\n${xmlElement('BasicDefinitions', {}, ...made.units.values())}`
  yield `\n<MetaDataVersion OID="${VERSION(_id)}" Name="${VERSION(_id)}" Description="Fields and participants that the reader may not see are left out.">\n`
  const events = forms.map(({ event }, at) =>
    xmlElement('StudyEventRef', { StudyEventOID: event, OrderNumber: at + 1, Mandatory: 'No' }),
  )
  yield `${xmlElement('Protocol', {}, ...events)}\n`
  for (const { event, oid, stage, isRepeating } of forms)
    yield `${xmlElement(
      'StudyEventDef',
      {
        OID: event,
        Name: named(stage.name),
        Repeating: yes(isRepeating),
        Type: stage.adHoc ? 'Unscheduled' : 'Scheduled',
      },
      ...(stage.description ? [translated('Description', stage.description)] : []),
      xmlElement('FormRef', { FormOID: oid, OrderNumber: 1, Mandatory: 'No' }),
    )}\n`
  for (const { oid, stage, groups } of forms)
    yield `${xmlElement(
      'FormDef',
      { OID: oid, Name: named(stage.name), Repeating: 'No' },
      ...(stage.description ? [translated('Description', stage.description)] : []),
      ...groups.map((group, at) =>
        xmlElement('ItemGroupRef', {
          ItemGroupOID: group.oid,
          OrderNumber: at + 1,
          Mandatory: yes(
            made.isRequired(
              stage,
              group.questions.find(({ isGroup }) => isGroup),
            ),
          ),
          CollectionExceptionConditionOID: made.conditionOf(stage, group),
        }),
      ),
    )}\n`
  for (const { stage, groups } of forms) for (const group of groups) yield `${groupDef(stage, group)}\n`
  for (const each of made.pieces()) yield `${each}\n`
  yield '</MetaDataVersion>\n</Study>\n'

  function groupDef(stage: StageRow, { oid, name, heading, questions }: Group): string {
    const [only] = questions
    const apart = only?.isGroup ? only : undefined
    const title = apart ? made.titleOf(stage, apart) : heading?.title
    const refs = questions.flatMap((question) =>
      question.items.map((item) => {
        const method = made.methodOf(question)
        const condition = apart ? undefined : made.conditionOf(stage, { questions: [question] })
        return { ItemOID: item.oid, method, condition, isRequired: !apart && made.isRequired(stage, question) }
      }),
    )
    return xmlElement(
      'ItemGroupDef',
      { OID: oid, Name: named(name), Repeating: yes(apart?.isRepeating === true) },
      ...(title ? [translated('Description', title)] : []),
      ...refs.map(({ ItemOID, method, condition, isRequired }, at) =>
        xmlElement('ItemRef', {
          ItemOID,
          OrderNumber: at + 1,
          Mandatory: yes(isRequired),
          MethodOID: method,
          CollectionExceptionConditionOID: condition,
        }),
      ),
      ...(apart ? [alias('format', apart.field.format ?? 'text')] : []),
    )
  }
}
