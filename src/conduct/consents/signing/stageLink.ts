/** The link to the form that follows a consent. */
import type { ConsentRow } from '#conduct/consents/consentStore'
import { nextStage, screeningUrl } from '#conduct/consents/nextStage'
import type { ConsentFormScope } from '#conduct/consents/scope'
import { screeningToken } from '#conduct/consents/screeningStore'
import { insertStageToken } from '#conduct/stageTokens/store'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import type { Services } from '#http/services'
import { newSecret } from '#kernel/id'
import { DAY, type Instant } from '#kernel/time'

/** How long the link works. */
const LIFETIME = 7 * DAY

/** The form that follows, with a link to it, which works before the first sign-in too. Null if there is none. */
export function offeredStage(
  context: Pick<ConsentFormScope, 'trial' | 'content'> & { db: Db; services: Pick<Services, 'publicUrl' | 'seal'> },
  consent: ConsentRow,
  now: Instant,
) {
  const { db, services, trial, content } = context
  const { postConsentStage } = content
  const stage = postConsentStage === null ? undefined : configuration(db, trial).stages.get(postConsentStage)
  if (!stage || stage.isPoll) return nextStage(db, context)
  const { participant } = consent
  if (participant === null) {
    const token = screeningToken(db, services.seal, consent, stage._id, now)
    return nextStage(db, context, screeningUrl(services.publicUrl, token))
  }
  const token = newSecret()
  const stageRecurrence = stage.adHoc ? null : 0
  const link = { participant, stage: stage._id, stageRecurrence, createdAt: now, createdBy: participant }
  insertStageToken(db, token, { ...link, expiresAt: now + LIFETIME })
  return nextStage(db, context, `${services.publicUrl}/app/stage/${token}`)
}
