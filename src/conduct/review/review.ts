/** The marks, signatures and queries of responses, and the events of one response (docs/review.md). */

import { queriesOf } from '#conduct/queries/views'
import { eventsOf } from '#conduct/responses/events'
import type { IgnoredAnswer } from '#conduct/responses/ignoredAnswers'
import { verificationsOf } from '#conduct/responses/sourceVerification'
import type { Mark } from '#conduct/responses/sourceVerificationStore'
import type { ResponseRow } from '#conduct/responses/store'
import { signaturesOf } from '#conduct/signatures/views'
import type { Db } from '#db/open'
import type { HiddenFieldTest } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'
import type { LinkMaker } from '#storage/storage'

/** The marks, signatures and queries of responses. @param hiddenIn which fields of a response are hidden from the reader */
export const reviewOf = (
  db: Db,
  responses: readonly ResponseRow[],
  hiddenIn: (response: ResponseRow) => HiddenFieldTest,
  link: LinkMaker,
) => ({
  responseValidations: verificationsOf(db, responses, hiddenIn),
  signatures: signaturesOf(db, responses, hiddenIn),
  queries: queriesOf(db, responses, hiddenIn, link),
})

type EventContent = { marks?: Mark[]; dataTypes?: Id[]; signatures?: Id[]; ignored?: IgnoredAnswer[] }

/** The events of a response, oldest first, without those that concern hidden fields only. */
export const visibleEvents = (db: Db, response: Id, hidden: HiddenFieldTest) =>
  eventsOf(db, response).flatMap(({ type, at, createdBy, createdByType, content }) => {
    const { marks, dataTypes, ignored, ...rest } = JSON.parse(content) as EventContent
    const visibleMarks = marks?.filter(({ dataType }) => !hidden(dataType))
    const visibleTypes = dataTypes?.filter((dataType) => !hidden(dataType))
    // An answer under a key of no data type is shown only to readers who may see every answer.
    const visibleAnswers = ignored?.filter(({ key, dataType }) => !hidden(dataType ?? key))
    const required = { verified: visibleTypes, unverified: visibleMarks, ignored: visibleAnswers }
    if (type in required && !required[type as keyof typeof required]?.length) return []
    if (type === 'cleared' && !visibleMarks?.length && !rest.signatures?.length) return []
    const fields = {
      ...(visibleMarks ? { marks: visibleMarks } : {}),
      ...(visibleTypes ? { dataTypes: visibleTypes } : {}),
      ...(visibleAnswers ? { ignored: visibleAnswers } : {}),
    }
    return [{ type, createdAt: at, createdBy, createdByType, ...rest, ...fields }]
  })
