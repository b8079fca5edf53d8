/** Finds out who sent a request, and whether the operation is for this kind of caller. */
import type { Caller, Staff } from '#access/caller'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import type { Instant } from '#kernel/time'
import { isSafe } from './call'
import type { AnyOperation, CallerKind } from './operation'
import type { Services } from './services'

const COOKIE = /(?:^|;\s*)trialbox_session=([^;]+)/

type IdentificationPlan = { services: Services; who: readonly CallerKind[]; op: Pick<AnyOperation, 'anonymous'> }

/** Returns the caller, which is `nobody` for an anonymous operation, even if the request has a credential. @throws 401 if the credential is missing or not valid, or the operation is for another kind of caller */
export function identifyCaller({ services, who, op }: IdentificationPlan, request: Request, now: Instant): Caller {
  if (op.anonymous) return { kind: 'nobody' }
  const authorization = request.headers.get('authorization')
  const bearer = /^bearer (.*)$/i.exec(authorization ?? '')?.[1]?.trim() // the name of a scheme may have any case
  if (authorization !== null && bearer === undefined) {
    throw refuse.unauthenticated('notBearer')
  }
  const session = bearer === undefined ? COOKIE.exec(request.headers.get('cookie') ?? '')?.[1] : undefined
  const isOpen = who.includes('anyone')
  const caller = services.identify({ bearer, session }, now)
  if (!caller) {
    if (isOpen) return { kind: 'nobody' }
    throw refuse.unauthenticated(invalidCredential(bearer))
  }
  if (isOpen) return caller
  if (caller.kind === 'staff' && who.includes('staff')) return withCsrfToken(request, caller)
  if (caller.kind === 'staff' && who.includes('session') && 'session' in caller.via)
    return withCsrfToken(request, caller)
  if (caller.kind === 'staff' && who.includes('session')) {
    throw refuse.forbidden('onlyInWebApp')
  }
  if (caller.kind === 'participant' && who.includes('participant')) return caller
  const needed = who.flatMap((each) => (each === 'anyone' ? [] : reason(CREDENTIAL[each])))
  throw refuse.unauthenticated('otherCredential', { needed, given: givenCredential(caller) })
}

/** The credential of each kind of caller. */
const CREDENTIAL = {
  staff: 'credentialOfStaff',
  session: 'credentialSession',
  participant: 'credentialOfParticipant',
} as const

/** Which credential a request has. */
function givenCredential(caller: Caller): Reason {
  if (caller.kind === 'nobody') return reason('credentialNone')
  if (caller.kind === 'participant') return reason('credentialToken')
  return 'apiKey' in caller.via ? reason('credentialApiKey') : reason('credentialSession')
}

/** The same refusal for every reason, so that an attacker learns nothing by trying. @param bearer undefined for a session cookie */
function invalidCredential(bearer: string | undefined): Reason {
  if (bearer === undefined) return reason('sessionEnded')
  return bearer.startsWith('tbk_') ? reason('apiKeyInvalid') : reason('participantTokenInvalid')
}

/**
 * Returns the caller. Refuses (403) an unsafe request with the session cookie but without the CSRF token of the session, which
 * another site cannot read.
 */
function withCsrfToken(request: Request, caller: Staff): Staff {
  if ('session' in caller.via && !isSafe(request) && request.headers.get('x-csrf-token') !== caller.via.csrfToken) {
    throw refuse.forbidden('csrf')
  }
  return caller
}
