/** Finds out who sent a request, and whether the operation is for this kind of caller. */
import type { Caller, Staff } from '#access/caller'
import { refuse } from '#kernel/problem'
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
    throw refuse.unauthenticated(
      'The Authorization header must be "Bearer", a space, and an API key or participant token.',
    )
  }
  const session = bearer === undefined ? COOKIE.exec(request.headers.get('cookie') ?? '')?.[1] : undefined
  const isOpen = who.includes('anyone')
  const caller = services.identify({ bearer, session }, now)
  if (!caller) {
    if (isOpen) return { kind: 'nobody' }
    throw refuse.unauthenticated(invalidCredentialText(bearer))
  }
  if (isOpen) return caller
  if (caller.kind === 'staff' && who.includes('staff')) return withCsrfToken(request, caller)
  if (caller.kind === 'staff' && who.includes('session') && 'session' in caller.via)
    return withCsrfToken(request, caller)
  if (caller.kind === 'staff' && who.includes('session')) {
    throw refuse.forbidden('This can be done in the web app only, not with an API key.')
  }
  if (caller.kind === 'participant' && who.includes('participant')) return caller
  const needed = who.map((each) => CREDENTIAL[each]).join(', or ')
  throw refuse.unauthenticated(`This needs ${needed}. The request has ${credentialText(caller)}.`)
}

/** The credential of each kind of caller. */
const CREDENTIAL: Record<CallerKind, string> = {
  staff: 'an API key of staff (Authorization: Bearer tbk_…) or a session of the web app',
  session: 'a session of the web app',
  participant: 'a participant token (Authorization: Bearer …), which a sign-in of the participant gives',
  anyone: 'nothing',
}

/** Which credential a request has. */
function credentialText(caller: Caller): string {
  if (caller.kind === 'nobody') return 'neither an Authorization header nor a session cookie'
  if (caller.kind === 'participant') return 'a participant token'
  return 'apiKey' in caller.via ? 'an API key' : 'a session of the web app'
}

/** The same text for every reason, so that an attacker learns nothing by trying. @param bearer undefined for a session cookie */
function invalidCredentialText(bearer: string | undefined): string {
  if (bearer === undefined) return 'The session has ended. Sign in again.'
  return bearer.startsWith('tbk_')
    ? 'This API key is not valid: it was deleted, has expired, or its account is disabled.'
    : 'This participant token is not valid, or has ended. (An API key begins with tbk_.)'
}

/**
 * Returns the caller. Refuses (403) an unsafe request with the session cookie but without the CSRF token of the session, which
 * another site cannot read.
 */
function withCsrfToken(request: Request, caller: Staff): Staff {
  if ('session' in caller.via && !isSafe(request) && request.headers.get('x-csrf-token') !== caller.via.csrfToken) {
    throw refuse.forbidden('The request lacks the X-CSRF-Token of its session.', { code: 'csrf' })
  }
  return caller
}
