/** The form that is offered after the consent. */
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import type { ConsentFormScope } from './scope'

/** The page of a form that follows a consent. */
export const screeningUrl = (publicUrl: string, token: string): string => `${publicUrl}/app/stage/screening-${token}`

/**
 * Its name; null if there is none, or it was deleted since.
 * @param url opens it; null if it is not open by a link, or not any more
 */
export function nextStage(
  db: Db,
  { trial, content }: Pick<ConsentFormScope, 'trial' | 'content'>,
  url: string | null = null,
) {
  const { postConsentStage } = content
  const stage = postConsentStage === null ? undefined : configuration(db, trial).stages.get(postConsentStage)
  return stage ? { name: stage.name, url } : null
}
