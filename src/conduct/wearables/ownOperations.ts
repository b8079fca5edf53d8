/** A participant's own accounts at providers of wearables (docs/wearables.md, "Connect accounts"). */

import type { ParticipantCaller } from '#access/caller'
import { Connection } from '#conduct/participantSessions/model'
import { refuseOnSharedDevice } from '#conduct/participantSessions/rules'
import { self } from '#conduct/participantSessions/scope'
import { placesOf } from '#conduct/participants/memberships'
import { providerOf } from '#conduct/wearables/providers/list'
import { providers } from '#design/trials/model'
import { settingsOf } from '#design/trials/rules'
import { operation, type RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { shape } from '#wire/schema'
import { endConnection } from './connection'
import { ConnectInput, OwnConnections, SignIn } from './model'
import { isUsedFor } from './rules'
import {
  exchange,
  providerContextOf,
  requirePendingSignIn,
  requireResult,
  requireUse,
  SIGN_IN_LIFETIME,
  sealSignIn,
  sealTokens,
} from './signIn'
import { connectionOf, connectionsOf, deleteSignIn, putConnection, putSignIn } from './store'
import { allConnections, connectionView } from './views'

/** The participant with the service that the path names; 404 for any other. */
const ownService = (context: RequestContext<ParticipantCaller, { service: Id }>) => ({
  ...self({ ...context, params: {} }),
  service: found(
    providers.find((each) => each === context.params.service),
    'service',
  ),
})

const feature = 'wearables'

const listOwnConnections = operation({
  id: 'listOwnConnections',
  method: 'GET',
  path: '/participants/connections',
  summary: 'List the wearables that one can connect or has connected',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  feature,
  returns: OwnConnections,
  run: ({ db, services, trial, participant }) => {
    const { groups } = placesOf(db, participant._id)
    const settings = settingsOf(trial)
    const all = allConnections(connectionsOf(db, participant._id)).map((connection) => {
      const isAvailable = !participant.isWithdrawn && isUsedFor(settings, connection.service, groups)
      const canConnect = isAvailable && services.wearables[connection.service] !== undefined
      return { ...connection, isAvailable, canConnect }
    })
    return { connections: all.filter(({ isAvailable, status }) => isAvailable || status !== 'none') }
  },
})

const beginSignIn = operation({
  id: 'beginWearableSignIn',
  method: 'POST',
  path: '/participants/connections/:service/sign-in',
  summary: 'Begin to connect a wearable: the page of the provider on which to sign in',
  description:
    'OAuth 2.0 with PKCE (S256), of Garmin OAuth 1.0a. Open `url`; the provider sends the browser back to `/join/connections/<service>` with the code, within an hour.',
  who: 'participant',
  scope: ownService,
  needs: 'nothing',
  feature,
  // Each asks the provider, which counts the requests of all participants together.
  limit: 10,
  logs: 'beginWearableSignIn',
  body: shape({}),
  secret: true,
  returns: SignIn,
  prepare: async (context) => {
    const { services, service, now, caller } = context
    refuseOnSharedDevice(caller)
    requireUse(context, service)
    return requireResult(await providerOf[service].begin(providerContextOf(services, service, now)), service)
  },
  run: (context) => {
    const { db, services, participant, service, now, prepared, record } = context
    requireUse(context, service)
    const secret = sealSignIn(services, participant._id, service, prepared.pendingSignIn)
    putSignIn(db, { participant: participant._id, service, secret, expiresAt: now + SIGN_IN_LIFETIME })
    record({ event: { service } })
    return { url: prepared.url, state: prepared.pendingSignIn.state }
  },
})

const connect = operation({
  id: 'connectWearable',
  method: 'POST',
  path: '/participants/connections/:service',
  summary: 'Connect a wearable with what its provider sent back',
  description:
    'The sign-in must have begun with `/sign-in`. Data is read from then on, first that of at most 30 days before.',
  who: 'participant',
  scope: ownService,
  needs: 'nothing',
  feature,
  limit: 10,
  logs: 'connectWearable',
  body: ConnectInput,
  returns: Connection,
  prepare: async (context) => {
    const { services, service, participant, now, body } = context
    requireUse(context, service)
    const providerContext = providerContextOf(services, service, now)
    const pendingSignIn = requirePendingSignIn({ ...context, participant: participant._id }, service, body)
    const { code, scope, verifier } = body
    return {
      sealed: pendingSignIn.sealed,
      ...(await exchange(providerContext, service, pendingSignIn, { code, scope, verifier })),
    }
  },
  run: (context) => {
    const { db, services, trial, participant, service, now, body, prepared, record } = context
    requireUse(context, service)
    const pendingSignIn = requirePendingSignIn({ ...context, participant: participant._id }, service, body)
    if (pendingSignIn.sealed !== prepared.sealed) throw refuse.bad('signInReplaced')
    const before = connectionOf(db, participant._id, service)
    putConnection(db, {
      participant: participant._id,
      service,
      trial: trial._id,
      status: 'connected',
      connectedAt: now,
      endedAt: null,
      scope: prepared.scope,
      tokens: sealTokens(services, participant._id, service, prepared.tokens),
      version: (before?.version ?? 0) + 1,
      cursor: before?.cursor ?? null,
      syncedAt: before?.syncedAt ?? null,
      dueAt: now,
      failures: 0,
      problem: null,
    })
    deleteSignIn(db, participant._id, service)
    record({ event: { service, scope: prepared.scope } })
    return connectionView(found(connectionOf(db, participant._id, service), 'connection'))
  },
})

const disconnect = operation({
  id: 'disconnectWearable',
  method: 'DELETE',
  path: '/participants/connections/:service',
  summary: 'Disconnect a wearable',
  description:
    'Nothing more is read. The provider is notified, at once or as soon as it can be reached. What was read stays.',
  who: 'participant',
  scope: ownService,
  needs: 'nothing',
  feature,
  logs: 'disconnectWearable',
  returns: shape({}),
  run: ({ db, participant, service, now, record }) => {
    const row = found(connectionOf(db, participant._id, service), 'connection')
    if (row.status === 'disconnected') throw refuse.missing('connection')
    endConnection(db, row, now)
    deleteSignIn(db, participant._id, service)
    record({ event: { service } })
    return {}
  },
})

export const ownWearableOperations = [listOwnConnections, beginSignIn, connect, disconnect] as const
