/** The study and its metadata in ODM: events, forms, item groups, items, code lists, units, conditions and methods. */
import type { StageRow } from '#design/stages/store'
import { trialTextsIn } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import type { ExportContext } from '#exchange/exports/context'
import type { Id } from '#kernel/id'
import { xmlElement, xmlStart } from '#writers/xml'
import { definitions } from './definitions'
import type { Edition } from './edition'
import { aliasElement, nonBlank, textElement, yesOrNo } from './elements'
import type { Form, Group } from './forms'
import { notesOf } from './notes'
import type { Translation } from './translations'

export const studyOid = (trial: Id): string => `S.${trial}`
export const versionOid = (trial: Id): string => `MDV.${trial}`

const LEFT_OUT = 'Fields and participants that the reader may not see are left out.'

export type Study = Pick<Trial, '_id' | 'name' | 'code' | 'description' | 'settings'>

/** The element Study in pieces. */
export function* studyElement(
  from: ExportContext,
  forms: readonly Form[],
  study: Study,
  edition: Edition,
): Generator<string> {
  const definitionWriter = definitions(from, forms, edition)
  const notes = notesOf(from)
  const { isNew, translated } = edition
  yield* isNew ? odm2Start(study, forms, edition) : odm1Start(study, forms, definitionWriter.units)
  for (const { event, oid, stage, isRepeating } of forms)
    yield `${xmlElement(
      'StudyEventDef',
      {
        OID: event,
        Name: nonBlank(stage.name),
        Repeating: yesOrNo(isRepeating),
        Type: stage.adHoc ? 'Unscheduled' : 'Scheduled',
      },
      ...descriptionOf(stage),
      xmlElement(isNew ? 'ItemGroupRef' : 'FormRef', {
        [isNew ? 'ItemGroupOID' : 'FormOID']: oid,
        OrderNumber: 1,
        Mandatory: 'No',
      }),
    )}\n`
  for (const form of forms) yield `${formDef(form)}\n`
  for (const { stage, groups } of forms) for (const group of groups) yield `${groupDef(stage, group)}\n`
  for (const each of definitionWriter.pieces()) yield `${each}\n`
  yield '</MetaDataVersion>\n</Study>\n'

  function descriptionOf(stage: StageRow): string[] {
    const { description } = stage
    return description
      ? [translated('Description', description, (translation) => translation.stage(stage).description)]
      : []
  }

  function formDef({ oid, stage, groups }: Form): string {
    return xmlElement(
      isNew ? 'ItemGroupDef' : 'FormDef',
      { OID: oid, Name: nonBlank(stage.name), Repeating: 'No', Type: isNew ? 'Form' : undefined },
      ...descriptionOf(stage),
      ...groups.map((group, at) => {
        const apart = group.questions.find(({ isGroup }) => isGroup)
        return xmlElement('ItemGroupRef', {
          ItemGroupOID: group.oid,
          OrderNumber: at + 1,
          Mandatory: yesOrNo(definitionWriter.isRequired(stage, apart)),
          CollectionExceptionConditionOID: definitionWriter.conditionOf(stage, group),
        })
      }),
      ...notes.stage(stage),
    )
  }

  function groupDef(stage: StageRow, { oid, name, heading, questions }: Group): string {
    const [only] = questions
    const apart = only?.isGroup ? only : undefined
    /** The title in the language of the study, or in another. */
    const title = (translation?: Translation) => {
      const own = translation ? translation.stage(stage) : stage
      if (apart) return definitionWriter.titleOf(own, translation ? translation.question(apart) : apart)
      return own.components.find(({ id }) => id === heading?.id)?.title
    }
    const text = title()
    const refs = questions.flatMap((question) =>
      question.items.map((item) => {
        const method = definitionWriter.methodOf(question)
        const condition = apart ? undefined : definitionWriter.conditionOf(stage, { questions: [question] })
        return {
          ItemOID: item.oid,
          method,
          condition,
          isRequired: !apart && definitionWriter.isRequired(stage, question),
        }
      }),
    )
    const repeats = apart?.isRepeating === true
    return xmlElement(
      'ItemGroupDef',
      {
        OID: oid,
        Name: nonBlank(name),
        Repeating: isNew ? (repeats ? 'Simple' : 'No') : yesOrNo(repeats),
        Type: isNew ? (apart ? 'Concept' : 'Section') : undefined,
      },
      ...(text ? [translated('Description', text, title)] : []),
      ...refs.map(({ ItemOID, method, condition, isRequired }, at) =>
        xmlElement('ItemRef', {
          ItemOID,
          OrderNumber: at + 1,
          Mandatory: yesOrNo(isRequired),
          MethodOID: method,
          CollectionExceptionConditionOID: condition,
        }),
      ),
      ...(apart ? [aliasElement('format', apart.field.format ?? 'text')] : []),
      ...(apart ? notes.component(definitionWriter.componentOf(stage, apart)) : []),
      ...(heading ? notes.component(heading) : []),
      ...(apart
        ? []
        : questions.flatMap((question) =>
            question.items.flatMap(({ oid }) =>
              notes.component(definitionWriter.componentOf(stage, question), `extra:${oid}`),
            ),
          )),
    )
  }
}

/** The beginning of the study in ODM 1.3.2, up to the events. */
function* odm1Start(
  { _id, name, code, description }: Study,
  forms: readonly Form[],
  units: ReadonlyMap<string, string>,
): Generator<string> {
  yield `${xmlStart('Study', { OID: studyOid(_id) })}\n`
  yield xmlElement(
    'GlobalVariables',
    {},
    textElement('StudyName', name),
    textElement('StudyDescription', description || name),
    textElement('ProtocolName', code || name),
  )
  if (units.size) yield `\n${xmlElement('BasicDefinitions', {}, ...units.values())}`
  yield `\n${xmlStart('MetaDataVersion', { OID: versionOid(_id), Name: versionOid(_id), Description: LEFT_OUT })}\n`
  yield `${xmlElement('Protocol', {}, ...eventRefs(forms))}\n`
}

/** The same in ODM 2.0. */
function* odm2Start(study: Study, forms: readonly Form[], { translated, inEnglish }: Edition): Generator<string> {
  const { _id, name, code } = study
  yield `${xmlStart('Study', { OID: studyOid(_id), StudyName: nonBlank(name), ProtocolName: nonBlank(code || name) })}\n`
  const text = ({ description, name }: Pick<Study, 'name' | 'description'>) => description || name
  yield `${translated('Description', text(study), ({ language }) => text(trialTextsIn(study, language)))}\n`
  yield `${xmlStart('MetaDataVersion', { OID: versionOid(_id), Name: versionOid(_id) })}\n`
  yield `${inEnglish('Description', LEFT_OUT)}\n`
  const StudyEventGroupOID = `SEG.${_id}`
  const reference = xmlElement('StudyEventGroupRef', { StudyEventGroupOID, OrderNumber: 1, Mandatory: 'Yes' })
  yield `${xmlElement('Protocol', {}, reference)}\n`
  yield `${xmlElement('StudyEventGroupDef', { OID: StudyEventGroupOID, Name: nonBlank(name) }, ...eventRefs(forms))}\n`
}

const eventRefs = (forms: readonly Form[]): string[] =>
  forms.map(({ event }, at) =>
    xmlElement('StudyEventRef', { StudyEventOID: event, OrderNumber: at + 1, Mandatory: 'No' }),
  )
