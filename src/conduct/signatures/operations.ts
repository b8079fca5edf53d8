import { holds, reachOf, sightOf } from '#access/caller'
import { participant, participantSeenBy } from '#conduct/participants/scope'
import { appendEvent } from '#conduct/responses/events'
import { entriesIn } from '#conduct/responses/marks'
import { hiddenFrom, SEEING } from '#conduct/responses/read'
import { type ResponseRow, responsesOfParticipant } from '#conduct/responses/store'
import { configuration } from '#design/configuration/configuration'
import { settingsOf } from '#design/trials/rules'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { responseHash, signatureHash } from './content'
import { CasebookQuery, Casebooks, NewSignature, PAGE, Signature, Signatures } from './model'
import { signaturesIn } from './read'
import { casebooksOf, insertSignature } from './store'

const listCasebooks = operation({
  method: 'GET',
  path: '/trials/:trialId/signatures/casebooks',
  summary: 'Tell how far each participant’s casebook is signed',
  description: 'By participant ID; 10,000 a page unless asked for fewer.',
  scope: trial,
  needs: anywhere('trial.readParticipantStudyData'),
  query: CasebookQuery,
  returns: Casebooks,
  run: ({ db, trial, access, query: { page = 1, perPage = PAGE } }) => {
    const reaches = [reachOf(access!, ['readParticipantStudyData']), sightOf(access!)]
    const rows = casebooksOf(db, trial._id, reaches, perPage + 1, (page - 1) * perPage)
    const casebooks = rows.slice(0, perPage).map((row) => {
      const isComplete = row.responseCount > 0 && row.signedCount === row.responseCount
      return { ...row, isComplete }
    })
    return { casebooks, nextPageAvailable: rows.length > perPage }
  },
})

const readSignatures = operation({
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/signatures',
  summary: 'Read the signatures on a participant’s responses',
  scope: participant,
  needs: 'trial.readParticipantStudyData',
  returns: Signatures,
  run: ({ db, trial, participant, access, places }) => ({
    signatures: signaturesIn(db, participant._id, hiddenFrom(configuration(db, trial), access!, places)),
  }),
})

/** The responses that are meant, each once: all of the participant's, or those named. */
function meant(rows: readonly ResponseRow[], named: readonly Id[] | undefined): readonly ResponseRow[] {
  if (!named) {
    if (!rows.length) throw refuse.bad('There is nothing to sign: the participant has no responses.')
    return rows
  }
  const known = new Set(rows.map(({ _id }) => _id))
  if (named.some((_id) => !known.has(_id))) throw refuse.missing('response of the participant')
  const wanted = new Set(named)
  return rows.filter(({ _id }) => wanted.has(_id))
}

const sign = operation({
  method: 'POST',
  path: '/trials/:trialId/signatures',
  summary: 'Sign responses of a participant, or the whole casebook',
  description:
    'Needs an identity confirmed in the web app within five minutes. Nobody signs what they cannot see: restricted and PII answers among the responses need their permission too.',
  scope: trial,
  needs: anywhere('trial.writeParticipantStudyData'),
  fresh: true,
  logs: 'signResponses',
  body: NewSignature,
  returns: Signature,
  run: (context) => {
    const { db, now, id, caller, trial, access, body, record } = context
    const { participant, places } = participantSeenBy(context, { trial, access }, body.participant)
    if (!holds(access!, 'writeParticipantStudyData', places)) throw refuse.lacking(['trial.writeParticipantStudyData'])
    const rows = meant(responsesOfParticipant(db, participant._id), body.responses)
    const hidden = hiddenFrom(configuration(db, trial), access!, places)
    if (rows.some((row) => entriesIn(db, row).some(hidden))) {
      throw refuse.lacking(SEEING)
    }
    const { responseSigningEnabled, signatureMeanings } = settingsOf(trial)
    if (!responseSigningEnabled) throw refuse.bad('Signing is switched off for this trial (responseSigningEnabled).')
    if (signatureMeanings.length && !signatureMeanings.includes(body.meaning)) {
      throw refuse.bad(`The meaning must be one of: ${signatureMeanings.join(', ')}.`, { signatureMeanings })
    }
    const signed = rows.map((row) => ({ _id: row._id, hash: responseHash(db, row) }))
    const content = {
      _id: id(),
      createdAt: now,
      trial: trial._id,
      participant: participant._id,
      isCasebook: !body.responses,
      meaning: body.meaning,
      user: caller.user._id,
      userName: caller.user.name,
    }
    const hash = signatureHash(content, signed)
    insertSignature(db, { ...content, hash }, signed)
    const by = { _id: caller.user._id, type: 'user' } as const
    const said = { signature: content._id, meaning: body.meaning, hash }
    for (const row of rows) appendEvent(db, row, 'signed', by, now, said)
    const { isCasebook } = content
    record({ participant: participant._id, event: { ...said, isCasebook, responses: signed } })
    return signaturesIn(db, participant._id, hidden).find(({ _id }) => _id === content._id)!
  },
})

export const signatureOperations = [listCasebooks, readSignatures, sign]
