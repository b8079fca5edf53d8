import { scopeOf, visibleScopeOf } from '#access/caller'
import { participant, participantVisibleTo } from '#conduct/participants/scope'
import { entriesIn } from '#conduct/responses/sourceVerification'
import { responsesOfParticipant } from '#conduct/responses/store'
import { configuration } from '#design/configuration/configuration'
import { hiddenFrom, SEE_ALL_ANSWERS } from '#design/hiddenFields/hiddenFields'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { CasebookQuery, Casebooks, NewSignature, PAGE, Signature, Signatures } from './model'
import { requireMeaning, requireSigner, responsesToSign, signResponses } from './sign'
import { casebooksOf } from './store'
import { signaturesIn } from './views'

const listCasebooks = operation({
  id: 'listCasebooks',
  method: 'GET',
  path: '/trials/:trialId/signatures/casebooks',
  summary: 'List how much of each participant’s casebook is signed',
  description: 'Sorted by participant ID. At most 10,000 a page, which is the default.',
  scope: trial,
  needs: anywhere('trial.readParticipantStudyData'),
  reads: ({ casebooks }) => casebooks.map(({ participant }) => participant),
  query: CasebookQuery,
  returns: Casebooks,
  run: ({ db, trial, access, query: { page = 1, perPage = PAGE } }) => {
    const scopes = [scopeOf(access, ['readParticipantStudyData']), visibleScopeOf(access)]
    const rows = casebooksOf(db, trial._id, scopes, perPage + 1, (page - 1) * perPage)
    const casebooks = rows.slice(0, perPage).map((row) => {
      const isComplete = row.responseCount > 0 && row.signedCount === row.responseCount
      return { ...row, isComplete }
    })
    return { casebooks, nextPageAvailable: rows.length > perPage }
  },
})

const readSignatures = operation({
  id: 'readSignatures',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/signatures',
  summary: 'Read the signatures on a participant’s responses',
  scope: participant,
  needs: 'trial.readParticipantStudyData',
  returns: Signatures,
  run: ({ db, trial, participant, access, places }) => ({
    signatures: signaturesIn(db, participant._id, hiddenFrom(configuration(db, trial), access, places)),
  }),
})

const sign = operation({
  id: 'signResponses',
  method: 'POST',
  path: '/trials/:trialId/signatures',
  summary: 'Sign responses of a participant, or the whole casebook',
  description:
    'Needs an identity that was confirmed in the web app within five minutes. With the trial’s `signersOnly`, only people with trial.signStudyData sign. Answers that the caller cannot see cannot be signed: if the responses contain restricted or PII answers, the caller needs the permissions for them.',
  scope: trial,
  needs: [anywhere('trial.signStudyData'), anywhere('trial.writeParticipantStudyData')],
  fresh: true,
  logs: 'signResponses',
  body: NewSignature,
  returns: Signature,
  run: (context) => {
    const { db, trial, access, body, record } = context
    const { participant, places } = participantVisibleTo(context, { trial, access }, body.participant)
    requireSigner(trial, access, places)
    const rows = responsesToSign(responsesOfParticipant(db, participant._id), body.responses)
    const hidden = hiddenFrom(configuration(db, trial), access, places)
    if (rows.some((row) => entriesIn(db, row).some(hidden))) throw refuse.missingPermission(SEE_ALL_ANSWERS)
    requireMeaning(trial, body.meaning)
    const { _id, event } = signResponses(context, participant._id, rows)
    record({ participant: participant._id, event })
    return signaturesIn(db, participant._id, hidden).find((signature) => signature._id === _id)!
  },
})

export const signatureOperations = [listCasebooks, readSignatures, sign] as const
