/** The link to the form that follows a consent. */
import type { ConsentRow } from '#conduct/consents/consentStore'
import type { InForm } from '#conduct/consents/scope'
import { nextStage } from '#conduct/consents/stage'
import { insertStageToken } from '#conduct/stageTokens/store'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import type { Services } from '#http/services'
import { newSecret } from '#kernel/id'
import { DAY, type Instant } from '#kernel/time'

/** How long the link works. */
const LIFETIME = 7 * DAY

/** The form that follows, with a link to it if the person is a participant already; else they find it in the app. Null if there is none. */
export function offeredStage(
  context: Pick<InForm, 'trial' | 'content'> & { db: Db; services: Pick<Services, 'publicUrl'> },
  { participant }: ConsentRow,
  now: Instant,
) {
  const { db, services, trial, content } = context
  const { postConsentStage } = content
  const stage = postConsentStage === null ? undefined : configuration(db, trial).stages.get(postConsentStage)
  if (participant === null || !stage || stage.isPoll) return nextStage(db, context)
  const token = newSecret()
  const stageRecurrence = stage.adHoc ? null : 0
  const link = { participant, stage: stage._id, stageRecurrence, createdAt: now, createdBy: participant }
  insertStageToken(db, token, { ...link, expiresAt: now + LIFETIME })
  return nextStage(db, context, `${services.publicUrl}/app/stage/${token}`)
}
