/** The data of participants in ODM: each response with its newest values, or with its whole history. */
import { readResponse } from '#conduct/responses/read'
import { layoutById } from '#conduct/responses/store'
import { reviewOf } from '#conduct/review/review'
import type { ExportContext } from '#exchange/exports/context'
import { participantPages } from '#exchange/exports/datasets/participantPages'
import { type ExportRow, everyColumn, type KeptParticipant } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import { type HistoryEntry, inOrder, submissionEntries } from './changes'
import type { Edition, Parts, QueryNote } from './edition'
import { eventElement } from './event'
import type { Form } from './forms'
import type { Question } from './items'
import type { AdminData } from './people'
import { queriesOn, type Review, reviewByResponse, signaturesOn } from './review'
import { groupElements, itemElement, type Writing } from './values'

export type SubjectReader = {
  from: ExportContext
  forms: ReadonlyMap<Id, Form>
  edition: Edition
  /** With every change, signature and query in their order, in place of the newest values. */
  withHistory: boolean
  /** Whom and what the data of a stage refers to. */
  adminOf(stage: Id | undefined): AdminData
  /** Called for each value with characters that XML cannot hold. */
  respelled(code: string): void
}

/** A participant with their responses, in the order of the stages and occurrences. */
export type Subject = { owner: KeptParticipant; rows: ExportRow[]; review: Review }

/** The participants of an export; those without a response only if no filter asks about responses. */
export function* subjectsOf({ from, forms }: SubjectReader, isFiltered: boolean): Generator<Subject> {
  const order = new Map([...forms.keys()].map((stage, at) => [stage, at]))
  const placeOf = ({ stage }: ExportRow) => order.get(stage) ?? 0
  for (const page of participantPages(from, everyColumn)) {
    for (const { owner, rows } of page) {
      if (isFiltered && !rows.length) continue
      rows.sort((a, b) => placeOf(a) - placeOf(b) || a.stageRecurrence - b.stageRecurrence)
      const { hidden } = from.visibility(owner)
      const review = reviewByResponse(
        reviewOf(
          from.db,
          rows,
          () => hidden,
          () => '',
        ),
      )
      yield { owner, rows, review }
    }
  }
}

/** The element SubjectData. @param stage whose AdminData it refers to; undefined if all stages have one */
export function subjectElement(reader: SubjectReader, { owner, rows, review }: Subject, stage?: Id): string {
  const { from, edition, withHistory } = reader
  const admin = reader.adminOf(stage)
  const [site, ...others] = owner.sites?.split(',') ?? []
  const names = others.map((each) => from.placeNames.get(each) ?? each)
  const writing: Writing = { edition, admin, location: admin.location(site), respelled: reader.respelled }
  const responses = rows.flatMap((row): Response[] => {
    const form = reader.forms.get(row.stage)
    return form ? [responseOf(reader, writing, form, row, owner, review)] : []
  })
  const content = withHistory ? historyOf(responses) : responses.map(({ newest }) => newest())
  return edition.data(
    'SubjectData',
    { SubjectKey: owner.participantId, TransactionType: withHistory ? 'Insert' : undefined },
    {
      first: site === undefined ? [] : [siteRef(admin, site)],
      comments: names.length ? [`Also of the sites: ${names.join('; ')}`] : [],
      content,
    },
  )
}

const siteRef = (admin: AdminData, site: Id): string => `<SiteRef LocationOID="${admin.location(site)}"/>`

type Response = { newest(): string; history(): HistoryEntry[]; review(): string | undefined }

/** Everything that happened to the responses of a participant in its order, and then their state and queries. */
function historyOf(responses: readonly Response[]): string[] {
  const entries = responses.flatMap(({ history }) => history()).sort(inOrder)
  return [...entries.map(({ element }) => element), ...responses.flatMap(({ review }) => review() ?? [])]
}

/** How a response is written, as the reader sees it. */
function responseOf(
  { from }: SubjectReader,
  writing: Writing,
  form: Form,
  row: ExportRow,
  owner: KeptParticipant,
  review: Review,
): Response {
  const { hidden } = from.visibility(owner)
  const participant = { _id: owner.participant, id: owner.participantId }
  const shown = readResponse(from.db, from.configuration, row, participant, hidden)
  const { positions } = layoutById(from.db, row.layout)
  const groups = form.groups.map(({ oid, questions }) => ({
    oid,
    asked: questions.filter(({ field }) => positions.has(field._id) && !hidden(field._id)),
  }))
  const queries = queriesOn(review, row._id, writing)
  const queriesOf = ({ field }: Question): QueryNote[] => queries.get(field._id) ?? []
  const asked = new Set(groups.flatMap(({ asked }) => asked.map(({ field }) => field._id)))
  // A question that is not in the form any more, or not of this response, has no item to hold its queries.
  const onForm = [...queries].flatMap(([field, own]) => (field !== null && asked.has(field) ? [] : own))
  const signed = signaturesOn(review, row._id, writing)
  const state = [
    ...(row.status ? [`Status: ${row.status}`] : []),
    ...(shown.score === undefined ? [] : [`Score: ${shown.score}`]),
  ]
  const event = (parts: Parts, transaction?: 'Context') =>
    eventElement(writing.edition, form, row.stageRecurrence, parts, transaction)

  return {
    newest() {
      const newest = signed.findLast(({ isValid }) => isValid)
      const others = signed.filter((each) => each !== newest).map(({ text }) => text)
      const entryOf = ({ field }: Question) => shown.response[field._id]
      return event({
        signature: newest ? [newest.element] : [],
        comments: [...state, ...(newest?.comments ?? []), ...others],
        queries: onForm,
        content: groups.flatMap(({ oid, asked }) => groupElements(writing, oid, asked, entryOf, queriesOf)),
      })
    },
    history: () => [
      ...submissionEntries(from.db, writing, form, row, hidden),
      ...signed.map(
        ({ at, isValid, element, comments }): HistoryEntry => ({
          at,
          number: Number.MAX_SAFE_INTEGER,
          element: event(
            {
              signature: [element],
              comments: [...comments, ...(isValid ? [] : ['This signature is not valid any more.'])],
            },
            'Context',
          ),
        }),
      ),
    ],
    review() {
      const content = groups.flatMap(({ oid, asked }) => {
        const items = asked.flatMap((question) => {
          const own = queriesOf(question)
          const [first] = question.items
          if (!own.length || !first) return []
          return [itemElement(writing, first, question, undefined, { transaction: 'Context', queries: own })]
        })
        const ItemGroupRepeatKey = asked[0]?.isRepeating ? 1 : undefined
        const attributes = { ItemGroupOID: oid, ItemGroupRepeatKey, TransactionType: 'Context' }
        return items.length ? [writing.edition.data('ItemGroupData', attributes, { content: items })] : []
      })
      if (!content.length && !state.length && !onForm.length) return undefined
      return event({ comments: state, queries: onForm, content }, 'Context')
    },
  }
}
