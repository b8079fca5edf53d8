/** Responses as JSON, in pieces of text: each the same as the GET of a single response returns it. */

import { queriesOf } from '#conduct/queries/views'
import { submissionsIn } from '#conduct/responses/layout'
import { Response } from '#conduct/responses/model'
import { verificationsOf } from '#conduct/responses/sourceVerification'
import { responsesOfStage, sourceSubmissionsOf, submissionMetaAmong } from '#conduct/responses/store'
import { readResponse } from '#conduct/responses/views'
import { Review } from '#conduct/review/model'
import { signaturesOf } from '#conduct/signatures/views'
import { DataType } from '#design/dataTypes/model'
import { type ExportContext, visibleFields } from '#exchange/exports/context'
import type { Count } from '#exchange/exports/datasets/tables'
import { StageBasics } from '#exchange/exports/model'
import { responsePages } from '#exchange/exports/pages'
import { type ExportRow, participantCount } from '#exchange/exports/store'
import type { LinkMaker } from '#storage/storage'
import { projector } from '#wire/project'
import type { TSchema } from '#wire/schema'

const writer = (schema: TSchema) => {
  const project = projector(schema)
  return (value: unknown, personal = false) => JSON.stringify(project(value, { personal: () => personal }))
}
const responseText = writer(Response)
const dataTypeText = writer(DataType)
const stageText = writer(StageBasics)

const reviewText = writer(Review)

/** The responses of one stage as its GET returns them: `{responses, responseValidations, signatures, queries}`. */
export function* stageResponsesText(from: ExportContext, count: Count, link: LinkMaker): Generator<string> {
  yield '{"responses":['
  yield* joinLists(from.stages.map((stage) => responses(from, stage._id, count, link)))
  yield '],"responseValidations":{'
  yield* joinLists(from.stages.map((stage) => reviews(from, stage._id, 'responseValidations', link)))
  yield '},"signatures":['
  yield* joinLists(from.stages.map((stage) => reviews(from, stage._id, 'signatures', link)))
  yield '],"queries":['
  yield* joinLists(from.stages.map((stage) => reviews(from, stage._id, 'queries', link)))
  yield ']}'
}

/** One part of the review of a stage's responses, one piece per page, without the outer brackets. */
function* reviews(from: ExportContext, stage: string, part: keyof Parts, link: LinkMaker): Generator<string> {
  const signers = new Set<string>()
  for (const page of responsePages(from, stage)) {
    const text = reviewText({ ...emptyReview, [part]: parts[part](from, page, signers, link) })
    const inner = JSON.stringify(JSON.parse(text)[part]).slice(1, -1)
    if (inner) yield inner
  }
}

type Parts = typeof emptyReview
const emptyReview = { responseValidations: {}, signatures: [], queries: [] }
type Part = (from: ExportContext, page: ExportRow[], signers: Set<string>, link: LinkMaker) => unknown

const parts: Record<keyof Parts, Part> = {
  responseValidations: ({ db, visibility }, page) => verificationsOf(db, page, (row) => visibility(row).hidden),
  // A signature can cover responses on several pages: it is written once, with all of the participant's.
  signatures({ db, visibility }, page, signers) {
    return page.flatMap((row) => {
      const { participant, stage } = row
      if (participant === null || signers.has(participant)) return []
      signers.add(participant)
      return signaturesOf(db, responsesOfStage(db, participant, stage), () => visibility(row).hidden)
    })
  },
  queries: ({ db, visibility }, page, _, link) => queriesOf(db, page, (row) => visibility(row).hidden, link),
}

/** `{participantCount, stages: [{…, dataTypes, responses}]}`. */
export function* jsonText(from: ExportContext, count: Count): Generator<string> {
  yield `{"participantCount":${participantCount(from, from.trial)},"stages":[`
  for (const [at, stage] of from.stages.entries()) {
    const types = visibleFields(from, stage._id).flatMap((_id) => from.configuration.dataTypes.get(_id) ?? [])
    yield `${at ? ',' : ''}${stageText(stage).slice(0, -1)},"dataTypes":[`
    yield `${types.map((dataType) => dataTypeText(dataType)).join(',')}],"responses":[`
    yield* joinLists([responses(from, stage._id, count)])
    yield ']}'
  }
  yield ']}'
}

/** `{responses, dataTypes: {<_id>: …}}`: the documents of all stages in one list. */
export function* rawText(from: ExportContext, count: Count): Generator<string> {
  yield '{"responses":['
  yield* joinLists(from.stages.map((stage) => responses(from, stage._id, count)))
  const dataTypes = [...from.configuration.dataTypes.values()].filter(({ _id }) => !from.hiddenEverywhere(_id))
  yield `],"dataTypes":{${dataTypes.map((dataType) => `"${dataType._id}":${dataTypeText(dataType)}`).join(',')}}}`
}

/** Joins lists of pieces, with a comma between any two. */
function* joinLists(lists: Iterable<Iterable<string>>): Generator<string> {
  let isFirst = true
  for (const list of lists) {
    for (const text of list) {
      yield isFirst ? text : `,${text}`
      isFirst = false
    }
  }
}

/** The responses of a stage, one piece per page. */
function* responses(from: ExportContext, stage: string, count: Count, link?: LinkMaker): Generator<string> {
  const { db, configuration, visibility } = from
  for (const page of responsePages(from, stage)) {
    const known = submissionMetaAmong(db, new Set(page.flatMap((row) => submissionsIn(sourceSubmissionsOf(row)))))
    const texts = page.map((row) => {
      const { hidden, personal } = visibility(row)
      const participant = row.participant === null ? undefined : { _id: row.participant, id: row.participantId! }
      return responseText(readResponse(db, configuration, row, participant, hidden, known, link), personal)
    })
    count.rows += page.length
    yield texts.join(',')
  }
}
