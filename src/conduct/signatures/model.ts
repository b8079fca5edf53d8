import { StaffMember } from '#accounts/users/staffMember'
import { flag, id, instant, list, maybe, oneLine, shape, text, whole, withDescription } from '#wire/schema'

const SignedResponse = shape('SignedResponse', { response: id(), hash: maybe(text(64, 64)), valid: flag() })

/** A signature: who signed what, when, and with which meaning (docs/review.md, "Signatures"). */
export const Signature = shape('Signature', {
  _id: id(),
  trial: id(),
  participant: id(),
  isCasebook: withDescription('Whether all responses of the participant at that time were signed.', flag()),
  meaning: text(1, 200),
  signer: StaffMember,
  signedAt: instant(),
  hash: maybe(
    withDescription(
      'SHA-256 of the signed content; only for callers who may see every answer that it covers.',
      text(64, 64),
    ),
  ),
  valid: withDescription('False after anything that it covers was changed, moved or deleted.', flag()),
  responses: withDescription(
    'The responses that it covers, of those that this operation returns.',
    list(SignedResponse, 1_000_000),
  ),
})

export const Signatures = shape('Signatures', { signatures: list(Signature, 100_000) })

export const NewSignature = shape('NewSignature', {
  participant: id('The participant whose responses are signed'),
  responses: maybe(withDescription('Only these responses; by default the whole casebook.', list(id(), 10_000, 1))),
  meaning: withDescription('One of the trial’s `signatureMeanings`, if it has any.', text(1, 200)),
})

/** The most casebooks in a page, and the default, so that few trials need a second page. */
export const PAGE = 10_000

export const CasebookQuery = shape({
  page: maybe(whole(1, 1_000_000)),
  perPage: maybe(whole(1, PAGE)),
})

const Casebook = shape('Casebook', {
  participant: id(),
  participantId: oneLine(1, 50),
  responseCount: whole(0),
  signedCount: withDescription('The number of responses with a valid signature.', whole(0)),
  isComplete: withDescription('Whether there is a response and all responses are signed.', flag()),
})

export const Casebooks = shape('Casebooks', { casebooks: list(Casebook, PAGE), nextPageAvailable: flag() })
