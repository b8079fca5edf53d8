/** The data of participants in ODM 1.3.2, each with the audit record of its newest value, signatures and queries. */
import { readResponse } from '#conduct/responses/read'
import { layoutById } from '#conduct/responses/store'
import { reviewOf } from '#conduct/review/review'
import type { ExportContext } from '#exchange/exports/context'
import { participantPages } from '#exchange/exports/datasets/participantPages'
import { type ExportRow, everyColumn, type KeptParticipant } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import { isBeyondXml, xmlElement, xmlStart } from '#writers/xml'
import type { Form } from './forms'
import type { Question, Values } from './items'
import type { AdminData } from './people'
import { spelled, textual } from './words'

type Review = ReturnType<typeof reviewOf>
type Entry = ReturnType<typeof readResponse>['response'][Id]

export type SubjectReader = {
  from: ExportContext
  forms: ReadonlyMap<Id, Form>
  admin: AdminData
  /** Called for each value with characters that XML cannot hold. */
  respelled(code: string): void
}

/** Each SubjectData with its number of responses; without a response only if no filter asks about responses. */
export function* subjects(reader: SubjectReader, isFiltered: boolean): Generator<{ rows: number; element: string }> {
  const { from, forms } = reader
  const order = new Map([...forms.keys()].map((stage, at) => [stage, at]))
  const placeOf = ({ stage }: ExportRow) => order.get(stage) ?? 0
  for (const page of participantPages(from, everyColumn)) {
    for (const { owner, rows } of page) {
      if (isFiltered && !rows.length) continue
      rows.sort((a, b) => placeOf(a) - placeOf(b) || a.stageRecurrence - b.stageRecurrence)
      yield { rows: rows.length, element: subjectElement(reader, owner, rows) }
    }
  }
}

function subjectElement(reader: SubjectReader, owner: KeptParticipant, rows: readonly ExportRow[]): string {
  const { from, admin } = reader
  const [site, ...others] = owner.sites?.split(',') ?? []
  const review = reviewOf(
    from.db,
    rows,
    (row) => from.visibility({ ...row, ...owner }).hidden,
    () => '',
  )
  const sites = others.map((each) => from.placeNames.get(each) ?? each)
  return [
    xmlStart('SubjectData', { SubjectKey: owner.participantId }),
    ...(site === undefined ? [] : [xmlElement('SiteRef', { LocationOID: admin.location(site) })]),
    ...(sites.length ? [annotation(1, `Also of the sites: ${sites.join('; ')}`)] : []),
    ...rows.map((row) => eventElement(reader, row, owner, review, admin.location(site))),
    '</SubjectData>\n',
  ].join('\n')
}

/** A response: the event, its form, its item groups. */
function eventElement(
  reader: SubjectReader,
  row: ExportRow,
  owner: KeptParticipant,
  review: Review,
  location: string,
): string {
  const { from, forms, admin } = reader
  const form = forms.get(row.stage)
  if (!form) return ''
  const { hidden } = from.visibility(owner)
  const participant = { _id: owner.participant, id: owner.participantId }
  const shown = readResponse(from.db, from.configuration, row, participant, hidden)
  const { positions } = layoutById(from.db, row.layout)
  const groups = form.groups.flatMap(({ oid, questions }) => {
    const asked = questions.filter(({ field }) => positions.has(field._id) && !hidden(field._id))
    return groupElements(reader, oid, asked, shown.response, location)
  })
  const { signature, notes } = reviewNotes(review, row._id, admin, location)
  const state = [
    ...(row.status ? [`Status: ${row.status}`] : []),
    ...(shown.score === undefined ? [] : [`Score: ${shown.score}`]),
  ]
  const key = form.isRepeating || row.stageRecurrence > 0 ? String(row.stageRecurrence) : undefined
  const event = { StudyEventOID: form.event, StudyEventRepeatKey: key }
  return [
    xmlStart('StudyEventData', event),
    xmlStart('FormData', { FormOID: form.oid }),
    ...signature,
    ...[...state, ...notes].map((text, at) => annotation(at + 1, text)),
    ...groups,
    '</FormData></StudyEventData>',
  ].join('\n')
}

function groupElements(
  reader: SubjectReader,
  ItemGroupOID: string,
  asked: readonly Question[],
  response: Readonly<Record<Id, Entry>>,
  location: string,
): string[] {
  if (!asked.length) return []
  const [first] = asked
  if (!first?.isRepeating) {
    const items = asked.flatMap((question) => itemElements(reader, question, response[question.field._id], location))
    return [xmlElement('ItemGroupData', { ItemGroupOID }, ...items)]
  }
  const entry = response[first.field._id]
  const rows = entry && entry.value !== null ? first.rowsOf(entry.value) : [[]]
  return rows.map((values, at) =>
    xmlElement(
      'ItemGroupData',
      { ItemGroupOID, ItemGroupRepeatKey: at + 1 },
      ...valueElements(reader, first, values, entry, location),
    ),
  )
}

function itemElements(reader: SubjectReader, question: Question, entry: Entry | undefined, location: string): string[] {
  const values = entry && entry.value !== null ? (question.rowsOf(entry.value)[0] ?? []) : []
  return valueElements(reader, question, values, entry, location)
}

const valueElements = (
  { admin, respelled }: SubjectReader,
  { items, field }: Question,
  values: Values,
  entry: Entry | undefined,
  location: string,
): string[] =>
  items.map(({ oid }, at) => {
    const value = values[at] ?? null
    const isBeyond = value !== null && isBeyondXml(value)
    if (isBeyond) respelled(field.code)
    return xmlElement(
      'ItemData',
      value === null ? { ItemOID: oid, IsNull: 'Yes' } : { ItemOID: oid, Value: value },
      ...(entry ? [auditRecord(admin, entry, location)] : []),
      ...(isBeyond ? [annotation(1, `The value as a JSON string: ${spelled(value)}`)] : []),
    )
  })

const auditRecord = (admin: AdminData, entry: Entry, location: string): string =>
  xmlElement(
    'AuditRecord',
    {},
    xmlElement('UserRef', { UserOID: admin.user(entry.createdBy, entry.createdByType) }),
    xmlElement('LocationRef', { LocationOID: location }),
    textual('DateTimeStamp', instantText(entry.createdAt)),
    ...(entry.updateNote === undefined ? [] : [textual('ReasonForChange', entry.updateNote)]),
    ...(entry.enteredAt === undefined ? [] : [textual('SourceID', `Entered ${instantText(entry.enteredAt)}`)]),
  )

const annotation = (SeqNum: number, text: string): string =>
  xmlElement(
    'Annotation',
    { SeqNum },
    textual('Comment', isBeyondXml(text) ? spelled(text) : text, { SponsorOrSite: 'Site' }),
  )

const at = (moment: Instant) => instantText(moment)

/** The newest valid signature as one; all other signatures, and the queries, in words. ODM allows one signature for a form. */
function reviewNotes({ signatures, queries }: Review, response: Id, admin: AdminData, location: string) {
  const signed = signatures.flatMap((each) => {
    const own = each.responses.find((one) => one.response === response)
    return own ? [{ ...each, own }] : []
  })
  const newest = signed.findLast(({ own, valid }) => own.valid && valid)
  const others = signed.filter((each) => each !== newest)
  return {
    signature: newest
      ? [
          xmlElement(
            'Signature',
            {},
            xmlElement('UserRef', { UserOID: admin.user(newest.signer._id) }),
            xmlElement('LocationRef', { LocationOID: location }),
            xmlElement('SignatureRef', { SignatureOID: admin.signature(newest.meaning) }),
            textual('DateTimeStamp', at(newest.signedAt)),
            ...(newest.own.hash === undefined ? [] : [textual('CryptoBindingManifest', `SHA-256 ${newest.own.hash}`)]),
          ),
        ]
      : [],
    notes: [
      ...others.map(
        ({ meaning, signer, signedAt, own }) =>
          `${own.valid ? 'Signature' : 'Signature that is not valid any more'}: ${meaning}, ${signer.name}, ${at(signedAt)}`,
      ),
      ...queries
        .filter((query) => query.response === response)
        .map(
          ({ status, dataType, createdAt, messages }) =>
            `Query, ${status}${dataType === null ? '' : `, data type ${dataType}`}, raised ${at(createdAt)}: ${messages
              .map(({ createdAt, text }) => `${at(createdAt)} ${text}`)
              .join(' | ')}`,
        ),
    ],
  }
}
