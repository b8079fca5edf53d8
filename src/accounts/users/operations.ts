import { changedFields } from '#audit/changes'
import { deleteById, rowById, updateById } from '#db/rows'
import { apiKeys, users } from '#db/tables/index'
import { operation } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { shape } from '#wire/words'
import { requireUncommon } from './commonPasswords'
import { makeKey } from './keys'
import { ApiKeyInput, ApiKeys, MeInput, NewApiKey, User } from './model'
import { hashPassword } from './passwords'
import { acceptProof, countGuess, proveIdentity } from './proof'
import { endSessions, endSetupTokens, keyOf, keysOf, userResponse } from './store'

const me = operation({
  method: 'GET',
  path: '/users/me',
  summary: 'Your own account',
  description: 'Who the key or session belongs to: teams, permissions held directly by scope `_id`, and roles.',
  needs: 'nothing',
  returns: User,
  run: ({ db, caller }) => userResponse(db, rowById(db, users, caller.user._id)!),
})

const editMe = operation({
  method: 'PUT',
  path: '/users/me',
  summary: 'Change your name or password',
  description:
    'A new password needs `currentPassword` (and `code`, with two-step sign-in). It ends your other sessions and every ' +
    'link that could set the password; API keys go on.',
  who: 'session',
  needs: 'nothing',
  logs: 'updateUser',
  body: MeInput,
  secret: true,
  returns: User,
  prepare: async (asked) => {
    const { db, caller, body } = asked
    if (body.password === undefined) return undefined
    if (body.currentPassword === undefined) {
      throw refuse.invalid({ currentPassword: ['Missing data for required field.'] })
    }
    requireUncommon(body.password, [caller.user.name, caller.user.email])
    countGuess(asked, caller.user.email)
    const given = { password: body.currentPassword, code: body.code }
    const proof = await proveIdentity(asked, rowById(db, users, caller.user._id), given)
    if (!proof) throw refuse.bad('The current password or code is not right.')
    return { proof, passwordHash: await hashPassword(body.password) }
  },
  run: ({ db, caller, body, prepared, now, record }) => {
    const before = rowById(db, users, caller.user._id)!
    if (prepared) {
      if (!acceptProof({ db }, prepared.proof)) throw refuse.bad('The current password or code is not right.')
      endSessions(db, before._id, 'session' in caller.via ? caller.via.session : undefined)
      endSetupTokens(db, before._id, now)
    }
    const after = updateById(db, users, before._id, { name: body.name, passwordHash: prepared?.passwordHash })
    const event = changedFields({ name: before.name }, { name: after.name })
    record({ event: prepared ? { ...event, passwordChanged: true } : event })
    return userResponse(db, after)
  },
})

const listApiKeys = operation({
  method: 'GET',
  path: '/users/me/api-keys',
  summary: 'List your API keys',
  who: 'session',
  needs: 'nothing',
  returns: ApiKeys,
  run: ({ db, caller }) => ({ apiKeys: keysOf(db, caller.user._id) }),
})

const createApiKey = operation({
  method: 'POST',
  path: '/users/me/api-keys',
  summary: 'Make an API key',
  description: 'The key is in this one answer and is never shown again. It can do whatever you can.',
  who: 'session',
  needs: 'nothing',
  logs: 'createApiKey',
  body: ApiKeyInput,
  secret: true,
  returns: NewApiKey,
  run: ({ db, caller, body, now, record }) => {
    const { name, expiresAt } = body
    if (expiresAt != null && expiresAt <= now) throw refuse.invalid({ expiresAt: ['Must be in the future.'] })
    const { key, row } = makeKey(db, { user: caller.user._id, name, now, expiresAt: expiresAt ?? null })
    record({ event: { apiKey: row._id, name, prefix: row.prefix, expiresAt: row.expiresAt } })
    return { ...row, key }
  },
})

const removeApiKey = operation({
  method: 'DELETE',
  path: '/users/me/api-keys/:keyId',
  summary: 'Delete an API key',
  description: 'From then on it is refused with 401.',
  who: 'session',
  needs: 'nothing',
  logs: 'deleteApiKey',
  returns: shape({}),
  run: ({ db, caller, params, record }) => {
    const { _id, name, prefix } = found(keyOf(db, caller.user._id, params.keyId), 'API key')
    deleteById(db, apiKeys, _id)
    record({ event: { apiKey: _id, name, prefix } })
    return {}
  },
})

export const userOperations = [me, editMe, listApiKeys, createApiKey, removeApiKey] as const
