/** The sessions of a person in the web app: each browser in which they have signed in. */
import { endSessions } from '#accounts/users/store'
import { deleteById } from '#db/rows'
import { sessions } from '#db/tables/index'
import { operation } from '#http/operation'
import { found } from '#kernel/problem'
import { shape, whole } from '#wire/schema'
import { OwnSessions } from './model'
import { openSession, openSessions } from './store'

const listSessions = operation({
  id: 'listSessions',
  method: 'GET',
  path: '/users/me/sessions',
  summary: 'List your sessions',
  description: 'The current one first, then those that were used last; at most 100. `count` is the number of all.',
  who: 'session',
  needs: 'nothing',
  returns: OwnSessions,
  run: ({ db, caller, now }) => openSessions(db, caller.user._id, caller.via.session, now),
})

const endSession = operation({
  id: 'endSession',
  method: 'DELETE',
  path: '/users/me/sessions/:sessionId',
  summary: 'End one of your sessions',
  description: 'The person who uses it must sign in again.',
  who: 'session',
  needs: 'nothing',
  logs: 'endSession',
  returns: shape({}),
  run: ({ db, caller, params, now, record }) => {
    const { _id } = found(openSession(db, caller.user._id, params.sessionId, now), 'session')
    deleteById(db, sessions, _id)
    record({ event: { session: _id } })
    return {}
  },
})

const endOtherSessions = operation({
  id: 'endOtherSessions',
  method: 'DELETE',
  path: '/users/me/sessions',
  summary: 'End all of your sessions but this one',
  who: 'session',
  needs: 'nothing',
  logs: 'endOtherSessions',
  returns: shape('EndedSessions', { ended: whole(0) }),
  run: ({ db, caller, now, record }) => {
    const { count } = openSessions(db, caller.user._id, caller.via.session, now)
    endSessions(db, caller.user._id, caller.via.session)
    record({ event: { ended: count - 1 } })
    return { ended: count - 1 }
  },
})

export const ownSessionOperations = [listSessions, endSession, endOtherSessions] as const
