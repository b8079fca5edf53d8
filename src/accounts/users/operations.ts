import { changedFields } from '#audit/changedFields'
import { deleteById, updateById } from '#db/rows'
import { apiKeys, users } from '#db/tables/index'
import { operation } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { shape } from '#wire/schema'
import { apiKeyEvent, confirmSuspendedKey, insertApiKey } from './apiKeys'
import { requireUncommon } from './commonPasswords'
import { ApiKey, ApiKeyInput, ApiKeys, NewApiKey, OwnUserInput, User } from './model'
import { mailPasswordChanged } from './notices'
import { hashPassword } from './passwords'
import { ownAttempts, requireOwnIdentity, requireProof } from './proof'
import {
  apiKeyOf,
  apiKeysOf,
  endSessions,
  endSetupTokens,
  limitedToKey,
  ownAccount,
  trialNames,
  type UserRow,
  userResponse,
} from './store'

const readOwnUser = operation({
  id: 'readOwnUser',
  method: 'GET',
  path: '/users/me',
  summary: 'Read your own account',
  description: 'The account of the key or session: its teams, direct permissions by the `_id` of the scope, and roles.',
  needs: 'nothing',
  returns: User,
  run: ({ db, caller }) => limitedToKey(caller, userResponse(db, ownAccount(db, caller))),
})

const updateOwnUser = operation({
  id: 'updateOwnUser',
  method: 'PUT',
  path: '/users/me',
  summary: 'Change your name, language or password',
  description:
    'A new password needs `currentPassword`, and `code` if two-step sign-in is on. It ends your other sessions and all ' +
    'links that could set the password. API keys stay valid.',
  who: 'session',
  needs: 'nothing',
  logs: 'updateUser',
  attempts: ({ caller, body }) => (body.password === undefined ? undefined : ownAttempts({ caller })),
  body: OwnUserInput,
  returns: User,
  prepare: async (context) => {
    const { caller, body } = context
    if (body.password === undefined) return undefined
    if (body.currentPassword === undefined) {
      throw refuse.invalid({ currentPassword: [reason('missing')] })
    }
    requireUncommon(body.password, [caller.user.name, caller.user.email])
    const proof = await requireOwnIdentity(
      context,
      { password: body.currentPassword, code: body.code },
      'wrongCurrentProof',
    )
    return { proof, passwordHash: await hashPassword(body.password) }
  },
  run: ({ db, caller, body, prepared, now, record }) => {
    const before = ownAccount(db, caller)
    if (prepared) {
      requireProof({ db, now }, prepared.proof, 'wrongCurrentProof')
      endSessions(db, before._id, caller.via.session)
      endSetupTokens(db, before._id, now)
      mailPasswordChanged(db, before, now)
    }
    const { name, language } = body
    const after = updateById(db, users, before._id, { name, language, passwordHash: prepared?.passwordHash })
    const loggedFields = (row: UserRow) => ({ name: row.name, language: row.language })
    const event = changedFields(loggedFields(before), loggedFields(after))
    record({ event: prepared ? { ...event, passwordChanged: true } : event })
    return userResponse(db, after)
  },
})

const listApiKeys = operation({
  id: 'listApiKeys',
  method: 'GET',
  path: '/users/me/api-keys',
  summary: 'List your API keys',
  who: 'session',
  needs: 'nothing',
  returns: ApiKeys,
  run: ({ db, caller }) => {
    const trials = trialNames(db, [...caller.trials.keys()])
    return { apiKeys: apiKeysOf(db, caller.user._id), trials }
  },
})

const createApiKey = operation({
  id: 'createApiKey',
  method: 'POST',
  path: '/users/me/api-keys',
  summary: 'Create an API key',
  description:
    'Only this response contains the key: it is never shown again. The key has your permissions, as they are at each request. ' +
    'With `isReadOnly` it can send GET requests only; with `trials` it reaches these trials only, and no teams.',
  who: 'session',
  needs: 'nothing',
  logs: 'createApiKey',
  body: ApiKeyInput,
  secret: true,
  returns: NewApiKey,
  run: ({ db, caller, body, now, record }) => {
    const { expiresAt, trials } = body
    if (expiresAt != null && expiresAt <= now) throw refuse.invalid({ expiresAt: [reason('notInFuture')] })
    const unknown = trials?.find((trial) => !caller.trials.has(trial))
    if (unknown !== undefined) throw refuse.invalid({ trials: [reason('trialUnknown', { trial: unknown })] })
    const { key, row } = insertApiKey(db, {
      ...body,
      trials: trials ? [...new Set(trials)] : null,
      user: caller.user._id,
      now,
    })
    record({ event: apiKeyEvent(row) })
    return { ...row, key }
  },
})

const confirmApiKey = operation({
  id: 'confirmApiKey',
  method: 'POST',
  path: '/users/me/api-keys/:keyId/confirmation',
  summary: 'Confirm an API key that a restored backup brought back',
  description:
    'Somebody may have deleted the key after the backup was made. Until it is confirmed, requests with it are refused with 401.',
  who: 'session',
  needs: 'nothing',
  logs: 'confirmApiKey',
  returns: ApiKey,
  run: ({ db, caller, params, record }) => {
    const { suspendedAt } = found(apiKeyOf(db, caller.user._id, params.keyId), 'API key')
    if (suspendedAt === null) throw refuse.bad('keyWorksAlready')
    const row = confirmSuspendedKey(db, params.keyId)
    record({ event: { ...apiKeyEvent(row), suspendedAt } })
    return row
  },
})

const removeApiKey = operation({
  id: 'deleteApiKey',
  method: 'DELETE',
  path: '/users/me/api-keys/:keyId',
  summary: 'Delete an API key',
  description: 'Requests with the key are then refused with 401.',
  who: 'session',
  needs: 'nothing',
  logs: 'deleteApiKey',
  returns: shape({}),
  run: ({ db, caller, params, record }) => {
    const row = found(apiKeyOf(db, caller.user._id, params.keyId), 'API key')
    deleteById(db, apiKeys, row._id)
    record({ event: { apiKey: row._id, name: row.name, prefix: row.prefix } })
    return {}
  },
})

export const userOperations = [
  readOwnUser,
  updateOwnUser,
  listApiKeys,
  createApiKey,
  confirmApiKey,
  removeApiKey,
] as const
