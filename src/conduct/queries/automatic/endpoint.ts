/**
 * Automatic queries by an AI endpoint, if one is configured (docs/automatic-queries.md, "With an AI endpoint"). They run in
 * the background and delay no other work.
 */

import { mailRaisedQueries } from '#conduct/queries/notices'
import { isOwned, responseById } from '#conduct/responses/store'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import type { Services } from '#http/services'
import { perform } from '#jobs/perform'
import { isSame } from '#kernel/json'
import { type Instant, MINUTE } from '#kernel/time'
import { authoredText } from '#texts/writer'
import type { Remark } from './aiRequest'
import { answersIn } from './answers'
import { lastExamined, lastSubmission, saveLastExamined } from './cursorStore'
import { askForQueries } from './job'
import { raiseFindings, trialsToExamine } from './raise'
import { CURSOR } from './startStore'

/** The most submissions in one request to the endpoint. */
const PAGE = 10
/** After so many unusable replies to the same request, its submissions are skipped. */
const TRIES = 3
const LONGEST_WAIT = 60 * MINUTE

/** Raises queries for remarks about answers that have not changed since, and that may still be sent. */
function raiseRemarks(db: Db, remarks: readonly Remark[], now: Instant): void {
  const trials = trialsToExamine(db)
  const raised = remarks.flatMap(({ response, dataType, value, text }) => {
    const row = responseById(db, response)
    const trial = row && trials.get(row.trial)
    if (!trial || !isOwned(row)) return []
    const answer = answersIn(db, configuration(db, trial), row).find(({ question }) => question._id === dataType)
    if (!answer || !isSame(answer.value, value)) return []
    return raiseFindings(
      db,
      trial,
      row,
      [{ rule: 'ai', dataType, fields: [dataType], value, text: () => authoredText(text) }],
      now,
    )
  })
  mailRaisedQueries(db, now, raised)
}

/**
 * Makes a function for the background timer. It sends the next submissions to a worker and does not wait for the result. After
 * a failure it tries again a minute later, then after twice as long each time. Submissions from before the endpoint was
 * configured are skipped (`beginAiQueries`).
 */
export function aiQueryTask({ db, asksAi }: Services): (services: Services, now: Instant) => Promise<boolean> {
  let isAsking = false
  let failures = 0
  let unusable = 0 // replies
  let notBefore = 0

  async function ask(services: Services, after: number): Promise<void> {
    const { upTo, remarks, problem } = await perform(services, askForQueries, { after, limit: PAGE })
    if (problem !== undefined && ++unusable < TRIES) throw new Error(`The answer of the AI endpoint: ${problem}.`)
    await services.commit((): unknown => {
      raiseRemarks(db, remarks, services.clock.now())
      return saveLastExamined(db, CURSOR, upTo)
    })
    failures = unusable = 0
  }

  return async (services, now) => {
    if (!asksAi || isAsking || now < notBefore) return false
    const last = lastSubmission(db)
    const after = lastExamined(db, CURSOR) ?? 0
    if (after >= last) return false
    if (!trialsToExamine(db).size) {
      await services.commit((): unknown => saveLastExamined(db, CURSOR, last))
      return false
    }
    isAsking = true
    void ask(services, after)
      .catch((reason) => {
        notBefore = services.clock.now() + Math.min(MINUTE * 2 ** failures++, LONGEST_WAIT)
        services.fault(reason, 'automatic queries by the AI endpoint')
      })
      .finally(() => {
        isAsking = false
      })
    return false
  }
}
