/** Codes by which people who answer a poll confirm a contact (docs/polls.md, "Verified contacts"). */
import { visibleScopeOf } from '#access/caller'
import { OF_POLL_CODES } from '#access/lockout'
import { addressForCode } from '#conduct/contactCodes/limits'
import { codesPage, codesPageQuery, PendingCodesQuery } from '#conduct/contactCodes/pages'
import { CODE_TRIES } from '#conduct/contactCodes/rules'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import { networkOf } from '#kernel/address'
import { refuse } from '#kernel/problem'
import { pendingPollCodes } from './codeStore'
import { checkPollCode, pollCode, sendPollCode } from './codes'
import { PollCodeChecked, PollCodeEntered, PollCodeRequest, PollCodeSent, PollCodes } from './model'
import { provenMethods } from './rules'
import { poll, pollIn, REQUESTS_PER_MINUTE, requireOpen } from './scope'
import { hasAnswered } from './store'

/** Codes that an address may ask for per minute: a lecture hall has one address. */
const CODES = 1_500

const requestCode = operation({
  id: 'sendPollCode',
  method: 'POST',
  path: '/polls/:trialCode/:stageId/verifications',
  summary: 'Send a code to a contact, to answer a poll that wants it confirmed',
  description:
    'Six digits, good for 10 minutes and 5 tries. A new one at most once a minute, and 20 times a day for one address. If the poll asks for a consent, the answer is the same whether somebody consented with the address or not. If the server has no sender for it, staff read the code out.',
  who: 'anyone',
  scope: poll,
  needs: 'nothing',
  changes: 'data',
  limit: CODES,
  anonymous: true,
  logs: 'sendPollCode',
  body: PollCodeRequest,
  secret: true,
  returns: PollCodeSent,
  prepare: (context) => addressForCode(context),
  run: (context) => {
    const { body, poll, prepared: address, record } = context
    const { stage } = pollIn(context, null)
    requireOpen(stage)
    const proven = provenMethods(stage.pollSettings)
    if (!proven.includes(body.method)) throw refuse.bad('needsNoCode')
    record({ event: { stage: poll, method: body.method } })
    return sendPollCode(context, stage.pollSettings, { ...body, address })
  },
})

const enterCode = operation({
  id: 'checkPollCode',
  method: 'POST',
  path: '/polls/:trialCode/:stageId/verifications/codes',
  summary: 'Enter the code that was sent',
  description:
    'A wrong code answers `isVerified: false`, and how many tries are left. The contact is then confirmed for the answers with this `entry`, for 7 days. ' +
    'After 300 wrong codes from one address within a day, the address waits before it may enter another one.',
  who: 'anyone',
  scope: poll,
  needs: 'nothing',
  limit: REQUESTS_PER_MINUTE,
  anonymous: true,
  logs: 'checkPollCode',
  body: PollCodeEntered,
  returns: PollCodeChecked,
  run: (context) => {
    const { db, services, now, client, body, poll, record } = context
    const counterName = ['codes of polls', networkOf(client.address)].join(' ')
    services.attempts.requireNotLockedOut(counterName, OF_POLL_CODES, now)
    const { isVerified, triesLeft, address } = checkPollCode(context, body)
    if (!isVerified) services.attempts.countFailure(counterName, OF_POLL_CODES, now)
    record({ event: { stage: poll, method: body.method, isVerified } })
    const isOnce = pollIn(context, null).stage.pollSettings?.oneAnswerPerContact === true
    const hasDone = isVerified && isOnce && address !== undefined && hasAnswered(db, poll, body.method, address)
    return { isVerified, triesLeft, hasAnswered: hasDone }
  },
})

const listCodes = operation({
  id: 'listPollCodes',
  method: 'GET',
  path: '/trials/:trialId/poll-codes',
  summary: 'List the codes of polls that people are waiting for, to read them out; this is logged',
  description:
    'For studies without a sender of e-mail or SMS: read a code out only to the person at that address. Newest first, in pages of 100. In the web app only: an API key gets no codes.',
  who: 'session',
  scope: trial,
  needs: 'trial.readParticipantPersonalInformation',
  logs: 'listPollCodes',
  reads: 'filter',
  query: PendingCodesQuery,
  secret: 'readable',
  returns: PollCodes,
  run: ({ db, services, trial, access, now, query, record }) => {
    if (visibleScopeOf(access) !== 'all') throw refuse.missingPermission(['trial.readParticipants'])
    const search = { trial: trial._id, now, tries: CODE_TRIES, ...codesPageQuery(query.after) }
    const { codes, next } = codesPage(pendingPollCodes(db, search))
    record({ event: { count: codes.length } })
    return {
      next,
      codes: codes.map((each) => ({
        ...each,
        code: each.isSilent ? null : pollCode(services.seal, each._id),
        triesLeft: CODE_TRIES - each.tries,
      })),
    }
  },
})

export const pollCodeOperations = [requestCode, enterCode, listCodes] as const
