/** What the API says of a participant's answers, as the pages of staff name it. There is no code here. */
import type { AnswerOf } from '#web/kit/api/operations'

export type Reading = AnswerOf<'readParticipantResponses'>
export type Response = Reading['responses'][number]
export type Entry = Response['response'][string]
export type Query = Reading['queries'][number]
export type Mark = Reading['responseValidations'][string][number]
export type Signature = Reading['signatures'][number]
export type DataType = AnswerOf<'listDataTypes'>['dataTypes'][number]
export type Stage = AnswerOf<'listStages'>['stages'][number]
