/** Erases a consent of somebody who withdrew it and never became a participant (docs/consent.md, "Erasure"). */
import type { ConsentRow } from '#conduct/consents/consentStore'
import { unassignedScreeningResponses } from '#conduct/consents/screeningStore'
import { messageReference } from '#conduct/queries/store'
import { eventsOf } from '#conduct/responses/events'
import { storedNamesIn } from '#conduct/responses/files'
import { responseById, submissionsOf } from '#conduct/responses/store'
import { type ErasureContext, type ErasureEvent, eraseAnswers, erasureEvent, nonPersonalDataTypes } from './erase'
import * as store from './store'

/**
 * Erases it all, in one transaction: also the signed documents, whose hashes stay, and the personal answers to the form that followed.
 * Returns what the audit entry keeps, and the files that must be removed from the disk.
 */
export function eraseConsentWithoutParticipant(
  context: ErasureContext,
  consent: ConsentRow,
): { event: ErasureEvent; files: string[] } {
  const { db, now, configuration, erased } = context
  const { _id, session } = consent
  const harmless = nonPersonalDataTypes(configuration)
  store.markConsentErased(db, consent, now)
  const screened = unassignedScreeningResponses(db, _id)
  const submissions = () => screened.flatMap((response) => submissionsOf(db, response))
  const digests = eraseAnswers(context, {
    responses: screened.flatMap((response) => responseById(db, response) ?? []),
    submissions: submissions(),
    events: screened.flatMap((response) => eventsOf(db, response)),
  })
  const kept = submissions().flatMap(({ values }) => storedNamesIn(JSON.parse(values)))
  const responses = JSON.stringify(screened)
  const files = store.deleteConsentFiles(db, { consent: _id, session, responses }, kept, harmless)
  const messages = store.eraseQueries(db, { responses }, harmless, erased).map(messageReference)
  store.endMessages(db, { consent: _id }, 'The personal information of the person was erased.')
  const held = store.eraseHeldOfConsent(db, _id)
  return { event: erasureEvent(held, { ...digests, messages }, files.length), files }
}
