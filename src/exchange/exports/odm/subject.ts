/** The data of participants in ODM: each response with its newest values, or with its whole history. */

import { layoutById } from '#conduct/responses/store'
import { readResponse } from '#conduct/responses/views'
import { reviewOf } from '#conduct/review/review'
import type { ExportContext } from '#exchange/exports/context'
import { participantPages } from '#exchange/exports/datasets/participantPages'
import { type ExportRow, everyColumn, type KeptParticipant } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import { compareEntries, type HistoryEntry, submissionEntries } from './changes'
import type { Edition, ElementParts, QueryNote } from './edition'
import { eventElement } from './event'
import type { Form } from './forms'
import type { Question } from './items'
import type { AdminData } from './people'
import { queriesOn, type Review, reviewByResponse, signaturesOn } from './review'
import { type ElementContext, groupElements, itemElement } from './values'

export type SubjectReader = {
  from: ExportContext
  forms: ReadonlyMap<Id, Form>
  edition: Edition
  /** With every change, signature and query in their order, in place of the newest values. */
  withHistory: boolean
  /** Whom and what the data of a stage refers to. */
  adminOf(stage: Id | undefined): AdminData
  /** Called for each value with characters that XML cannot hold. */
  onReplacedCharacters(code: string): void
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
  const context: ElementContext = {
    edition,
    admin,
    location: admin.location(site),
    onReplacedCharacters: reader.onReplacedCharacters,
  }
  const responses = rows.flatMap((row): ResponseElements[] => {
    const form = reader.forms.get(row.stage)
    return form ? [responseOf(reader, context, form, row, owner, review)] : []
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

type ResponseElements = { newest(): string; history(): HistoryEntry[]; review(): string | undefined }

/** Everything that happened to the responses of a participant in its order, and then their state and queries. */
function historyOf(responses: readonly ResponseElements[]): string[] {
  const entries = responses.flatMap(({ history }) => history()).sort(compareEntries)
  return [...entries.map(({ element }) => element), ...responses.flatMap(({ review }) => review() ?? [])]
}

/** How a response is written, as the reader sees it. */
function responseOf(
  { from }: SubjectReader,
  context: ElementContext,
  form: Form,
  row: ExportRow,
  owner: KeptParticipant,
  review: Review,
): ResponseElements {
  const { hidden } = from.visibility(owner)
  const participant = { _id: owner.participant, id: owner.participantId }
  const shown = readResponse(from.db, from.configuration, row, participant, hidden)
  const { positions } = layoutById(from.db, row.layout)
  const groups = form.groups.map(({ oid, questions }) => ({
    oid,
    askedQuestions: questions.filter(({ field }) => positions.has(field._id) && !hidden(field._id)),
  }))
  const queries = queriesOn(review, row._id, context)
  const queriesOf = ({ field }: Question): QueryNote[] => queries.get(field._id) ?? []
  const askedQuestions = new Set(groups.flatMap(({ askedQuestions }) => askedQuestions.map(({ field }) => field._id)))
  // A question that is not in the form any more, or not of this response, has no item to hold its queries.
  const onForm = [...queries].flatMap(([field, own]) => (field !== null && askedQuestions.has(field) ? [] : own))
  const signatures = signaturesOn(review, row._id, context)
  const state = [
    ...(row.status ? [`Status: ${row.status}`] : []),
    ...(shown.score === undefined ? [] : [`Score: ${shown.score}`]),
  ]
  const event = (parts: ElementParts, transaction?: 'Context') =>
    eventElement(context.edition, form, row.stageRecurrence, parts, transaction)

  return {
    newest() {
      const newest = signatures.findLast(({ isValid }) => isValid)
      const others = signatures.filter((each) => each !== newest).map(({ text }) => text)
      const entryOf = ({ field }: Question) => shown.response[field._id]
      return event({
        signature: newest ? [newest.element] : [],
        comments: [...state, ...(newest?.comments ?? []), ...others],
        queries: onForm,
        content: groups.flatMap(({ oid, askedQuestions }) =>
          groupElements(context, oid, askedQuestions, entryOf, queriesOf),
        ),
      })
    },
    history: () => [
      ...submissionEntries(from.db, context, form, row, hidden),
      ...signatures.map(
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
      const content = groups.flatMap(({ oid, askedQuestions }) => {
        const items = askedQuestions.flatMap((question) => {
          const own = queriesOf(question)
          const [first] = question.items
          if (!own.length || !first) return []
          return [itemElement(context, first, question, undefined, { transaction: 'Context', queries: own })]
        })
        const ItemGroupRepeatKey = askedQuestions[0]?.isRepeating ? 1 : undefined
        const attributes = { ItemGroupOID: oid, ItemGroupRepeatKey, TransactionType: 'Context' }
        return items.length ? [context.edition.data('ItemGroupData', attributes, { content: items })] : []
      })
      if (!content.length && !state.length && !onForm.length) return undefined
      return event({ comments: state, queries: onForm, content }, 'Context')
    },
  }
}
