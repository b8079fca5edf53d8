/** What the page of a review asks the server. */
import type { AnswerOf } from '#web/kit/api/operations'
import { type Answer, ask } from '#web/kit/api/send'
import type { Translator } from '../texts'

export type Status = 'draft' | 'approved' | 'rejected'
export type Decision = Exclude<Status, 'draft'>

export type Review = AnswerOf<'readFileReview'>
export type Preview = AnswerOf<'previewFileReview'>

const path = () => `/file-reviews/${location.pathname.split('/').at(-1)}`

export const readReview = (translator: Translator): Promise<Answer<Review>> => ask<Review>(translator, 'GET', path())

export const readPreview = (translator: Translator): Promise<Answer<Preview>> =>
  ask<Preview>(translator, 'GET', `${path()}/preview`)

export const sendDecision = (translator: Translator, body: unknown): Promise<Answer<{ decision: Decision }>> =>
  ask<AnswerOf<'decideFileReview'>>(translator, 'POST', path(), { body })
