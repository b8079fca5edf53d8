/** The study and its metadata in ODM: events, forms, item groups, items, code lists, units, conditions and methods. */
import type { StageRow } from '#design/stages/store'
import type { ExportContext } from '#exchange/exports/context'
import type { Id } from '#kernel/id'
import { xmlElement, xmlStart } from '#writers/xml'
import { definitions } from './definitions'
import type { Edition } from './edition'
import type { Form, Group } from './forms'
import { notesOf } from './notes'
import { alias, named, textual, yes } from './words'

export const STUDY = (trial: Id): string => `S.${trial}`
export const VERSION = (trial: Id): string => `MDV.${trial}`

const LEFT_OUT = 'Fields and participants that the reader may not see are left out.'

export type Study = { _id: Id; name: string; code: string; description?: string | null | undefined }

/** The element Study in pieces. */
export function* studyElement(
  from: ExportContext,
  forms: readonly Form[],
  study: Study,
  edition: Edition,
): Generator<string> {
  const made = definitions(from, forms, edition)
  const notes = notesOf(from)
  const { isNew, translated } = edition
  yield* isNew ? beginNew(study, forms, edition) : begin(study, forms, made.units)
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
      xmlElement(isNew ? 'ItemGroupRef' : 'FormRef', {
        [isNew ? 'ItemGroupOID' : 'FormOID']: oid,
        OrderNumber: 1,
        Mandatory: 'No',
      }),
    )}\n`
  for (const form of forms) yield `${formDef(form)}\n`
  for (const { stage, groups } of forms) for (const group of groups) yield `${groupDef(stage, group)}\n`
  for (const each of made.pieces()) yield `${each}\n`
  yield '</MetaDataVersion>\n</Study>\n'

  function formDef({ oid, stage, groups }: Form): string {
    return xmlElement(
      isNew ? 'ItemGroupDef' : 'FormDef',
      { OID: oid, Name: named(stage.name), Repeating: 'No', Type: isNew ? 'Form' : undefined },
      ...(stage.description ? [translated('Description', stage.description)] : []),
      ...groups.map((group, at) => {
        const apart = group.questions.find(({ isGroup }) => isGroup)
        return xmlElement('ItemGroupRef', {
          ItemGroupOID: group.oid,
          OrderNumber: at + 1,
          Mandatory: yes(made.isRequired(stage, apart)),
          CollectionExceptionConditionOID: made.conditionOf(stage, group),
        })
      }),
      ...notes.stage(stage),
    )
  }

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
    const repeats = apart?.isRepeating === true
    return xmlElement(
      'ItemGroupDef',
      {
        OID: oid,
        Name: named(name),
        Repeating: isNew ? (repeats ? 'Simple' : 'No') : yes(repeats),
        Type: isNew ? (apart ? 'Concept' : 'Section') : undefined,
      },
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
      ...(apart ? notes.component(made.componentOf(stage, apart)) : []),
      ...(heading ? notes.component(heading) : []),
      ...(apart
        ? []
        : questions.flatMap((question) =>
            question.items.flatMap(({ oid }) => notes.component(made.componentOf(stage, question), `extra:${oid}`)),
          )),
    )
  }
}

/** The beginning of the study in ODM 1.3.2, up to the events. */
function* begin(
  { _id, name, code, description }: Study,
  forms: readonly Form[],
  units: ReadonlyMap<string, string>,
): Generator<string> {
  yield `${xmlStart('Study', { OID: STUDY(_id) })}\n`
  yield xmlElement(
    'GlobalVariables',
    {},
    textual('StudyName', name),
    textual('StudyDescription', description || name),
    textual('ProtocolName', code || name),
  )
  if (units.size) yield `\n${xmlElement('BasicDefinitions', {}, ...units.values())}`
  yield `\n${xmlStart('MetaDataVersion', { OID: VERSION(_id), Name: VERSION(_id), Description: LEFT_OUT })}\n`
  yield `${xmlElement('Protocol', {}, ...eventRefs(forms))}\n`
}

/** The same in ODM 2.0. */
function* beginNew(
  { _id, name, code, description }: Study,
  forms: readonly Form[],
  { translated }: Edition,
): Generator<string> {
  yield `${xmlStart('Study', { OID: STUDY(_id), StudyName: named(name), ProtocolName: named(code || name) })}\n`
  yield `${translated('Description', description || name)}\n`
  yield `${xmlStart('MetaDataVersion', { OID: VERSION(_id), Name: VERSION(_id) })}\n`
  yield `${translated('Description', LEFT_OUT)}\n`
  const StudyEventGroupOID = `SEG.${_id}`
  const reference = xmlElement('StudyEventGroupRef', { StudyEventGroupOID, OrderNumber: 1, Mandatory: 'Yes' })
  yield `${xmlElement('Protocol', {}, reference)}\n`
  yield `${xmlElement('StudyEventGroupDef', { OID: StudyEventGroupOID, Name: named(name) }, ...eventRefs(forms))}\n`
}

const eventRefs = (forms: readonly Form[]): string[] =>
  forms.map(({ event }, at) =>
    xmlElement('StudyEventRef', { StudyEventOID: event, OrderNumber: at + 1, Mandatory: 'No' }),
  )
