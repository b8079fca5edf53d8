/**
 * What is sent of an event (docs/webhooks.md, "What is sent"). It is built from the history for each attempt and never stored: what is
 * erased or restricted meanwhile is not sent.
 */
import { noPlaces } from '#access/caller'
import { type ParticipantRow, participantById, personalFields } from '#conduct/participants/store'
import { layoutById } from '#conduct/responses/store'
import { changesOf, isScoreHidden } from '#conduct/responses/views'
import type { Db } from '#db/open'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { hiddenFrom } from '#design/hiddenFields/hiddenFields'
import { trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import { type AuditEntry, idsIn } from '#office/webhooks/events'
import { accessOfReceiver } from '#office/webhooks/rules'
import type { WebhookRow } from '#office/webhooks/store'
import { submissionAndBefore } from './store'

/** An answer without its uploaded files, at any depth: not even the name of a file is sent, as it may contain the name of a person. */
function withoutFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFiles)
  if (typeof value !== 'object' || value === null) return value
  if ('fileName' in value) return { isUpload: true }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutFiles(each)]))
}

/** The answers that a submission changed, as far as the receiver may read them, and its score. */
function answersOf(db: Db, config: Configuration, webhook: WebhookRow, response: Id, submission: number) {
  const hidden = hiddenFrom(config, accessOfReceiver(webhook), noPlaces)
  const [row, before] = submissionAndBefore(db, response, submission)
  if (row?._id !== submission) return {}
  // A submission has all values after it, so that the one before has all that this one replaced.
  const rows = before ? [{ ...before, fields: null }, row] : [row]
  const changes = changesOf(db, rows, hidden)
    .at(-1)!
    .map(({ dataType, value, replaced }) => {
      const code = config.dataTypes.get(dataType)?.code
      return {
        dataType,
        ...(code !== undefined && { code }),
        value: withoutFiles(value),
        replaced: withoutFiles(replaced),
      }
    })
  const isScoreShown = row.score !== null && !isScoreHidden(config, row.stage, layoutById(db, row.layout), hidden)
  return { changes, partialSubmission: row.partialSubmission, ...(isScoreShown && { score: row.score }) }
}

/** Of a participant's own fields, those that changed: never their values. */
function changedNames({ event: { after } }: AuditEntry): string[] | undefined {
  return typeof after === 'object' && after !== null && !Array.isArray(after) ? Object.keys(after) : undefined
}

const personalOf = (row: ParticipantRow) => Object.fromEntries(personalFields.map((field) => [field, row[field]]))

function aboutParticipant(db: Db, webhook: WebhookRow, type: string, entry: AuditEntry) {
  if (entry.participant === null) return {}
  const row = participantById(db, entry.participant)
  const mayRead = type.startsWith('participant.') && webhook.includes.includes('personalInformation')
  return {
    participant: entry.participant,
    participantId: row?.id ?? (typeof entry.event.id === 'string' ? entry.event.id : null),
    ...(type === 'participant.changed' && { changedFields: changedNames(entry) ?? [] }),
    ...(row && mayRead && { personal: personalOf(row) }),
  }
}

/** The data of an event. */
function dataOf(db: Db, webhook: WebhookRow, type: string, entry: AuditEntry): Record<string, unknown> {
  const ids = idsIn(type, entry)
  const trial = trialById(db, webhook.trial)!
  const isSubmission = entry.type === 'submitResponse' && typeof ids.response === 'string'
  return {
    trial: webhook.trial,
    by: { type: entry.userType, _id: entry.userType === 'participant' ? entry.participant : entry.user },
    ...aboutParticipant(db, webhook, type, entry),
    ...ids,
    ...(isSubmission && answersOf(db, configuration(db, trial), webhook, `${ids.response}`, Number(ids.submission))),
  }
}

/** The body of a delivery. */
export const bodyOf = (db: Db, webhook: WebhookRow, type: string, entry: AuditEntry): string =>
  JSON.stringify({ type, timestamp: instantText(entry.createdAt), data: dataOf(db, webhook, type, entry) })

/** The body of a test. */
export const testBody = ({ _id, trial }: WebhookRow, now: Instant): string =>
  JSON.stringify({ type: 'webhook.test', timestamp: instantText(now), data: { trial, webhook: _id } })
