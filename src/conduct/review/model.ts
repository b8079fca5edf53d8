/** The models of the operations that read responses. */
import { Query } from '#conduct/queries/model'
import { Draft, Response, ResponseValidations } from '#conduct/responses/model'
import { Signature } from '#conduct/signatures/model'
import { id, list, oneLine, shape, withDescription } from '#wire/schema'

/** Responses with their marks, signatures and queries (docs/review.md). */
const readingFields = {
  responses: list(Response, 1_000_000),
  responseValidations: ResponseValidations,
  signatures: list(Signature, 1_000_000),
  queries: list(Query, 1_000_000),
}
const { responses: _, ...review } = readingFields
export const Review = shape('Review', review)
export const StageReading = shape('StageReading', readingFields)

export const ParticipantReading = shape('ParticipantReading', {
  ...readingFields,
  drafts: withDescription('The drafts of the caller.', list(Draft)),
  participant: shape({ _id: id(), id: oneLine(1, 50) }),
})
