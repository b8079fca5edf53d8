import { forgetFailures, staffAccount } from '#access/attempts'
import { enabledUser } from '#access/store'
import { updateById } from '#db/rows'
import { users } from '#db/tables/index'
import { operation } from '#http/operation'
import { type FieldProblems, refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { email, flag, shape, type ValueOf } from '#wire/schema'
import { requireUncommon } from './commonPasswords'
import { Setup, SetupInput, SetupResult } from './model'
import { mailPasswordChanged } from './notices'
import { insertOwner } from './owner'
import { hashPassword } from './passwords'
import { invitationOf, mailPasswordReset, openSetupToken } from './setup'
import { endSessions, endSetupTokens, userByEmail } from './store'

const readSetup = operation({
  id: 'readSetup',
  method: 'GET',
  path: '/setup/:token',
  summary: 'Read what a set-up link is for',
  description: '`purpose` is `first` (the first account), `invitation` or `reset`.',
  who: 'anyone',
  needs: 'nothing',
  failures: 30,
  returns: Setup,
  run: ({ db, params, now }) => {
    const { token, user } = openSetupToken(db, params.token, now)
    const { purpose, expiresAt } = token
    return { email: user?.email ?? null, name: user?.name ?? null, purpose, expiresAt, ...invitationOf(db, token) }
  },
})

const completeSetup = operation({
  id: 'completeSetup',
  method: 'POST',
  path: '/setup/:token',
  summary: 'Set the password of an account',
  description:
    'A link works once. The first account must also send `email`, `name` and `team`. A reset ends all sessions of the ' +
    'account; API keys and two-step sign-in stay.',
  who: 'anyone',
  needs: 'nothing',
  failures: 10,
  logs: 'setUpAccount',
  body: SetupInput,
  returns: SetupResult,
  prepare: async ({ db, params, body, now }) => {
    const { token, user } = openSetupToken(db, params.token, now)
    if (token.purpose === 'first') requireFirstAccountFields(body)
    else refuseFirstAccountFields(body)
    requireUncommon(body.password, [user?.name ?? '', body.name ?? '', user?.email ?? body.email ?? ''])
    return { passwordHash: await hashPassword(body.password) }
  },
  run: ({ db, params, body, prepared: { passwordHash }, now, record }) => {
    const { token, user } = openSetupToken(db, params.token, now)
    endSetupTokens(db, token.user, now)
    if (!user) {
      const { name, email, team } = requireFirstAccountFields(body)
      const owner = insertOwner(db, { name, email, team, passwordHash, now })
      record({ by: { user: { _id: owner.user, email } }, event: { purpose: token.purpose, ...owner } })
      return { _id: owner.user, name, email }
    }
    endSessions(db, user._id)
    const after = updateById(db, users, user._id, { passwordHash, name: body.name })
    forgetFailures(db, staffAccount(after.email), now)
    if (token.purpose === 'reset') mailPasswordChanged(db, after, now)
    record({ by: { user: after }, event: { purpose: token.purpose } })
    return after
  },
})

/** The fields that only the first account must give. Refuses (422) if one is missing. */
function requireFirstAccountFields({ name, email, team }: ValueOf<typeof SetupInput>): {
  name: string
  email: string
  team: string
} {
  if (name !== undefined && email !== undefined && team !== undefined) return { name, email, team }
  const missing = Object.entries({ name, email, team }).filter(([, value]) => value === undefined)
  const problems: FieldProblems = {}
  for (const [field] of missing) problems[field] = [reason('missing')]
  throw refuse.invalid(problems)
}

/** Refuses (422) what only the first account gives: for another one it would be without effect. */
function refuseFirstAccountFields({ email, team }: ValueOf<typeof SetupInput>): void {
  const problems: FieldProblems = {}
  for (const [field, value] of Object.entries({ email, team })) {
    if (value !== undefined) problems[field] = [reason('firstAccountOnly')]
  }
  if (Object.keys(problems).length) throw refuse.invalid(problems)
}

const readPasswordResets = operation({
  id: 'readPasswordResets',
  method: 'GET',
  path: '/password-resets',
  summary: 'Read how links for a new password reach people',
  description: 'Without e-mail, the operator of the server makes a link with `trialbox users reset`.',
  who: 'anyone',
  needs: 'nothing',
  limit: 60,
  returns: shape('PasswordResets', { sendsEmail: flag() }),
  run: ({ services }) => ({ sendsEmail: services.sendsEmail }),
})

const requestPasswordReset = operation({
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/password-resets',
  summary: 'Ask for a new password',
  description: 'Sends a link to the account, if there is one. The response is the same if there is none.',
  who: 'anyone',
  needs: 'nothing',
  limit: 60,
  logs: 'requestPasswordReset',
  body: shape({ email: email() }),
  returns: shape({}),
  run: ({ services, db, body, now, record }) => {
    services.limits.count(`reset of ${body.email.toLowerCase()}`, 3, now)
    const user = userByEmail(db, body.email)
    if (user && enabledUser(db, user._id)) {
      mailPasswordReset(db, user, services.publicUrl, now)
      record({ account: user._id, event: { user: user._id } })
    }
    return {}
  },
})

export const setupOperations = [readSetup, completeSetup, readPasswordResets, requestPasswordReset] as const
