/** The study and its metadata in ODM 1.3.2: events, forms, item groups, items, code lists, units, conditions and methods. */
import type { StageRow } from '#design/stages/store'
import type { ExportContext } from '#exchange/exports/context'
import type { Id } from '#kernel/id'
import { xmlElement } from '#writers/xml'
import { definitions } from './definitions'
import type { Form, Group } from './forms'
import { alias, named, textual, translated } from './words'

export const STUDY = (trial: Id): string => `S.${trial}`
export const VERSION = (trial: Id): string => `MDV.${trial}`

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
