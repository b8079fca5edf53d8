/**
 * Automatic queries by an AI endpoint, where one is configured (docs/automatic-queries.md, "With an AI endpoint"):
 * beside everything else, and never in its way.
 */

import { tellRaised } from '#conduct/queries/notices'
import { responseById } from '#conduct/responses/store'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import type { Services } from '#http/services'
import { perform } from '#jobs/perform'
import { isSame } from '#kernel/json'
import { type Instant, MINUTE } from '#kernel/time'
import { answersIn } from './answers'
import type { Remark } from './asking'
import { askForQueries } from './job'
import { raise, watchedTrials } from './raise'
import { lastSubmission, reached, reachedTo } from './sinceStore'

const CURSOR = 'queriesOfAi'
/** Submissions asked about at once. */
const PAGE = 10
/** Answers that cannot be used before what they are about is passed over. */
const TRIES = 3
const LONGEST_WAIT = 60 * MINUTE

/** Raises what was remarked about answers that are still as they were sent, and that may still be sent. */
function raiseRemarks(db: Db, remarks: readonly Remark[], now: Instant): void {
  const trials = watchedTrials(db)
  const raised = remarks.flatMap(({ response, dataType, value, text }) => {
    const row = responseById(db, response)
    const trial = row?.participant ? trials.get(row.trial) : undefined
    if (!row || !trial) return []
    const answer = answersIn(db, configuration(db, trial), row).find(({ question }) => question._id === dataType)
    if (!answer || !isSame(answer.value, value)) return []
    return raise(db, trial, row, [{ rule: 'ai', dataType, fields: [dataType], value, text }], now)
  })
  tellRaised(db, now, raised)
}

/**
 * Makes what the schedule looks for: it sends the next submissions to a worker and does not wait for it. A failure is tried
 * again a minute later, then after twice as long each time. What came before there was an endpoint is left alone.
 */
export function askingEndpoint({ db, asksAi }: Services): (services: Services, now: Instant) => Promise<boolean> {
  let isAsking = false
  let failures = 0
  let unusable = 0
  let notBefore = 0
  if (asksAi && reached(db, CURSOR) === undefined) reachedTo(db, CURSOR, lastSubmission(db))

  async function ask(services: Services, after: number): Promise<void> {
    const { reached, remarks, problem } = await perform(services, askForQueries, { after, limit: PAGE })
    if (problem !== undefined && ++unusable < TRIES) throw new Error(`The answer of the AI endpoint: ${problem}.`)
    await services.commit((): unknown => {
      raiseRemarks(db, remarks, services.clock.now())
      return reachedTo(db, CURSOR, reached)
    })
    failures = unusable = 0
  }

  return async (services, now) => {
    if (!asksAi || isAsking || now < notBefore) return false
    const last = lastSubmission(db)
    const after = reached(db, CURSOR) ?? 0
    if (after >= last) return false
    if (!watchedTrials(db).size) {
      await services.commit((): unknown => reachedTo(db, CURSOR, last))
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
