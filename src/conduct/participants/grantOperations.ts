/** Sign-in grants: a link that signs a participant in once (docs/participants.md, "Links"). */
import { notificationTitle, trialNameFor, writerOf } from '#design/trials/notices'
import type { SharedTrial } from '#design/trials/store'
import { operation, type RequestContext } from '#http/operation'
import { newSecret, sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { DAY, type Instant } from '#kernel/time'
import { messageParticipant } from '#outbox/messages'
import type { Channel } from '#outbox/status'
import { currentGrant, grantSealContext, insertGrant } from './grantStore'
import { Grant, GrantRequest } from './model'
import { participant } from './scope'
import type { ParticipantRow } from './store'

const grantUrl = (origin: string, secret: string) => `${origin}/join?grant=${secret}`

type LinkContext = Pick<RequestContext, 'db' | 'now'> & { trial: SharedTrial; participant: ParticipantRow }

/** Sends a sign-in link to the participant by these channels. Its text is erased after it is sent. */
function sendLink({ db, now, trial, participant }: LinkContext, url: string, expiresAt: Instant, by: Channel[]): void {
  const { write, moment } = writerOf(trial, participant.language)
  const date = moment(expiresAt, participant.timezone ?? trial.timezone ?? 'UTC')
  const body = write('signInLink.body', { trial: trialNameFor(trial, participant), url, date })
  messageParticipant(
    db,
    now,
    participant,
    { subject: notificationTitle(trial, participant), body, expiresAt, isSecret: true },
    by,
  )
}

const showGrant = operation({
  id: 'readGrant',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/grants',
  summary: 'Read the current sign-in link of a participant',
  description:
    'Both fields are null if there is none. Everybody who has the link can sign in as the participant: each reading is recorded, and a key that may ' +
    'only read is refused (403).',
  scope: participant,
  needs: 'trial.write',
  writesByGet: true,
  logs: 'readGrant',
  secret: 'readable',
  returns: Grant,
  run: ({ db, participant, now, services, origin, record }) => {
    const grant = currentGrant(db, participant._id, now)
    record({ event: { expiresAt: grant?.expiresAt ?? null } })
    return grant
      ? {
          url: grantUrl(origin, services.seal.open(grant.secret, grantSealContext(participant._id))),
          expiresAt: grant.expiresAt,
        }
      : { url: null, expiresAt: null }
  },
})

const createGrant = operation({
  id: 'createGrant',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/grants',
  summary: 'Create a link that signs the participant in once',
  description: 'It replaces an earlier link, which stops working.',
  scope: participant,
  needs: 'trial.write',
  logs: 'createGrant',
  body: GrantRequest,
  sets: ['url', 'expiresAt'],
  secret: true,
  returns: Grant,
  run: (context) => {
    const { db, participant, now, services, origin, body, caller, record } = context
    if (participant.isArchived) throw refuse.bad('archivedCannotSignIn')
    const secret = newSecret()
    const expiresAt = now + (body.expiresInDays ?? 7) * DAY
    const sealed = services.seal.close(secret, grantSealContext(participant._id))
    const by = { createdAt: now, createdBy: caller.user._id, expiresAt }
    insertGrant(db, { participant: participant._id, hash: sha256(secret), secret: sealed, ...by })
    record({ event: { expiresAt, sendVia: body.sendVia } })
    if (body.sendVia?.length) sendLink(context, grantUrl(services.publicUrl, secret), expiresAt, body.sendVia)
    return { url: grantUrl(origin, secret), expiresAt }
  },
})

export const grantOperations = [showGrant, createGrant] as const
